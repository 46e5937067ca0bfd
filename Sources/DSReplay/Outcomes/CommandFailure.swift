/// A command that did not do what is expected of it.
package struct CommandFailure: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    /// Its output is not the expected one.
    case mismatch
    /// An error that is not expected.
    case error
    /// An `expect` or `require` that does not hold.
    case expectation
    /// What should hold after every fetch does not.
    case invariant
    /// A file beside the script that is not there, or cannot be read.
    case file
    /// It passed where `xfail` says that it fails.
    case unexpectedPass
    /// Told by whoever runs the worker.
    case timeout, crash
    case cassette
    /// More output than a test may have.
    case limit

    /// Whether `--update` may write what came of the command as expected.
    package var allowsUpdate: Bool { self == .mismatch || self == .error || self == .file }

    /// Whether `xfail` can say that it is known: a crash, and what could not be judged, never is.
    var canBeExpected: Bool {
      switch self {
      case .mismatch, .error, .expectation, .file, .cassette: true
      case .timeout, .crash, .invariant, .limit, .unexpectedPass: false
      }
    }
  }
  /// Of the command, counted from 1.
  package var line: Int
  package var kind: Kind
  /// One clause: `the output is not the expected one`.
  package var message: String
  /// The lines under `FAIL file:line › section`, as people see them.
  package var picture: [String] = []
  /// What would make the expectations right; nil when they are no matter of updating.
  package var correction: Correction?

  package init(line: Int, kind: Kind, message: String) {
    self.line = line
    self.kind = kind
    self.message = message
  }
}

/// Changes of a script's lines, and of files beside it, that make what is expected what came.
package struct Correction: Sendable, Equatable {
  /// Lines of a file that others stand for.
  package struct Edit: Sendable, Equatable {
    /// Counted from 1; empty to insert before a line.
    package var lines: Range<Int>
    package var replacement: [String]
  }
  /// A file beside the script that gets another text.
  package struct File: Sendable, Equatable {
    package var path: String
    /// What it was like when it was read; nil when it was not there.
    package var stamp: FileStamp?
    package var text: String
  }
  /// Ascending, none touching another.
  package var edits: [Edit] = []
  package var files: [File] = []
  /// Lines that differ.
  package var changedLines = 0
  /// Holes of the command's expectations that stay.
  package var keptHoles = 0
  /// Those of lines in which what came stands for them now: it does not fit, or the line is too long to
  /// find out where they belong.
  package var lostHoles = 0
}

/// What a file was like when it was read.
package struct FileStamp: Sendable, Equatable {
  /// In bytes.
  package var size = 0
  /// FNV-1a over its bytes.
  package var digest: UInt64 = 0xcbf2_9ce4_8422_2325

  init() {}

  mutating func add(_ bytes: [UInt8]) {
    size += bytes.count
    for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  func write(to line: inout FieldLine) {
    line.put(size)
    line.put(Int(bitPattern: UInt(digest)))
  }

  init(from fields: inout FieldReader) throws(FieldReader.Malformed) {
    size = try fields.int()
    digest = UInt64(UInt(bitPattern: try fields.int()))
  }
}

// The fields of a failure, as one process writes them and another reads them.
extension CommandFailure {
  func write(to line: inout FieldLine) {
    line.put(self.line)
    line.put(kind.rawValue)
    line.put(message)
    line.put(picture) { $0.put($1) }
    line.put(correction.map { [$0] } ?? []) { $1.write(to: &$0) }
  }

  init(from fields: inout FieldReader) throws(FieldReader.Malformed) {
    let line = try fields.int()
    guard let kind = Kind(rawValue: try fields.text()) else { throw FieldReader.Malformed() }
    self.init(line: line, kind: kind, message: try fields.text())
    picture = try fields.array { fields throws(FieldReader.Malformed) in try fields.text() }
    correction = try fields.array { fields throws(FieldReader.Malformed) in
      try Correction(from: &fields)
    }.first
  }
}

extension Correction {
  func write(to line: inout FieldLine) {
    line.put(changedLines)
    line.put(keptHoles)
    line.put(lostHoles)
    line.put(files) { $1.write(to: &$0) }
    line.put(edits) { line, edit in
      line.put(edit.lines.lowerBound)
      line.put(edit.lines.upperBound)
      line.put(edit.replacement) { $0.put($1) }
    }
  }

  init(from fields: inout FieldReader) throws(FieldReader.Malformed) {
    self.init()
    changedLines = try fields.int()
    keptHoles = try fields.int()
    lostHoles = try fields.int()
    files = try fields.array { fields throws(FieldReader.Malformed) in try File(from: &fields) }
    edits = try fields.array { fields throws(FieldReader.Malformed) in
      let (from, to) = (try fields.int(), try fields.int())
      guard from <= to else { throw FieldReader.Malformed() }
      let replacement = try fields.array { fields throws(FieldReader.Malformed) in
        try fields.text()
      }
      return Edit(lines: from..<to, replacement: replacement)
    }
  }
}

extension Correction.File {
  fileprivate func write(to line: inout FieldLine) {
    line.put(path)
    line.put(text)
    line.put(stamp.map { [$0] } ?? []) { $1.write(to: &$0) }
  }

  fileprivate init(from fields: inout FieldReader) throws(FieldReader.Malformed) {
    let (path, text) = (try fields.text(), try fields.text())
    let stamp = try fields.array { fields throws(FieldReader.Malformed) in
      try FileStamp(from: &fields)
    }
    self.init(path: path, stamp: stamp.first, text: text)
  }
}
