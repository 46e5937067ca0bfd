/// A failed command.
package struct CommandFailure: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    /// The output differs from the expected output.
    case mismatch
    /// An unexpected error.
    case error
    /// An `expect` or `require` that is false.
    case expectation
    /// A fetch that violates an invariant of sources.
    case invariant
    /// A side file that is missing or unreadable.
    case file
    /// A command passed although `xfail` expects a failure.
    case unexpectedPass
    /// The command exceeded its time limit.
    case timeout
    /// The worker died while the command ran.
    case crash
    /// A cassette of a directive that cannot be read or parsed.
    case cassetteFile
    /// A request that is missing from a cassette.
    case cassette
    /// More output than the limit.
    case limit
    /// An expectation that does not hold under random edits.
    case property
    /// An exercise of a lesson that does not grade as it promises.
    case lesson

    /// Whether `--update` may accept the output.
    package var allowsUpdate: Bool { self == .mismatch || self == .error || self == .file }

    /// Whether `xfail` can cover the failure. Timeouts, crashes, violated invariants, output over
    /// the limit and unexpected passes are always failures.
    var canBeExpected: Bool {
      switch self {
      case .mismatch, .error, .expectation, .file, .cassetteFile, .cassette, .property: true
      case .timeout, .crash, .invariant, .limit, .unexpectedPass, .lesson: false
      }
    }
  }
  /// The line of the command, counted from 1.
  package var line: Int
  /// The place of the command if it is in an attached script; ``line`` is that of the directive then.
  package var origin: Origin?

  /// A line of an attached script.
  package struct Origin: Sendable, Equatable {
    package let path: String
    package let line: Int
  }

  /// The place of the command.
  /// - Parameter path: the path of the script that runs.
  func place(in path: String) -> Origin { origin ?? Origin(path: path, line: line) }
  package var kind: Kind
  /// One clause: `the output is not as expected`.
  package var message: String
  /// The failure as the human report prints it, from `FAIL file:line › section` on.
  package var picture: [String] = []
  /// The columns and keys whose values differ; empty if other things differ, too.
  package var differingKeys: [String] = []
  /// The pictures of the output as SVG, if the environment asks for them.
  package var drawings: [String] = []
  /// The edits that correct the expectations; nil if an update cannot fix the failure.
  package var correction: Correction?

  package init(line: Int, kind: Kind, message: String) {
    self.line = line
    self.kind = kind
    self.message = message
  }
}

/// Edits of a script and its side files that make the actual output the expected output.
package struct Correction: Sendable, Equatable {
  /// A replacement of lines.
  package struct Edit: Sendable, Equatable {
    /// The replaced lines, counted from 1; an empty range inserts before a line.
    package var lines: Range<Int>
    package var replacement: [String]
  }
  /// A side file and its new text.
  package struct File: Sendable, Equatable {
    package var path: String
    /// The stamp of the file when it was read; nil if it did not exist.
    package var stamp: FileDigest?
    package var text: String
  }
  /// Ascending and not overlapping.
  package var edits: [Edit] = []
  package var files: [File] = []
  /// The number of differing lines.
  package var changedLines = 0
  /// The number of holes that are kept.
  package var keptHoles = 0
  /// The number of holes that are replaced by actual text, because they do not match or the line is
  /// too long to align.
  package var lostHoles = 0
}

/// The size and digest of a file, to detect changes.
package struct FileDigest: Sendable, Equatable {
  /// In bytes.
  package var size = 0
  /// FNV-1a of its bytes.
  package var digest: UInt64 = 0xcbf2_9ce4_8422_2325

  init() {}

  mutating func add(_ bytes: [UInt8]) {
    size += bytes.count
    for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  func write(to line: inout FieldLine) {
    line.append(size)
    line.append(Int(bitPattern: UInt(digest)))
  }

  init(from fields: inout FieldReader) throws(FieldReader.Malformed) {
    size = try fields.int()
    digest = UInt64(UInt(bitPattern: try fields.int()))
  }
}

// Serialization as fields of a message.
extension CommandFailure {
  func write(to line: inout FieldLine) {
    line.append(self.line)
    line.append(kind.rawValue)
    line.append(message)
    line.append(picture) { $0.append($1) }
    line.append(differingKeys) { $0.append($1) }
    line.append(drawings) { $0.append($1) }
    line.append(origin.map { [$0] } ?? []) { line, origin in
      line.append(origin.path)
      line.append(origin.line)
    }
    line.append(correction.map { [$0] } ?? []) { $1.write(to: &$0) }
  }

  init(from fields: inout FieldReader) throws(FieldReader.Malformed) {
    let line = try fields.int()
    guard let kind = Kind(rawValue: try fields.text()) else { throw FieldReader.Malformed() }
    self.init(line: line, kind: kind, message: try fields.text())
    picture = try fields.array { fields throws(FieldReader.Malformed) in try fields.text() }
    differingKeys = try fields.array { fields throws(FieldReader.Malformed) in try fields.text() }
    drawings = try fields.array { fields throws(FieldReader.Malformed) in try fields.text() }
    origin = try fields.array { fields throws(FieldReader.Malformed) in
      Origin(path: try fields.text(), line: try fields.int())
    }.first
    correction = try fields.array { fields throws(FieldReader.Malformed) in
      try Correction(from: &fields)
    }.first
  }
}

extension Correction {
  func write(to line: inout FieldLine) {
    line.append(changedLines)
    line.append(keptHoles)
    line.append(lostHoles)
    line.append(files) { $1.write(to: &$0) }
    line.append(edits) { line, edit in
      line.append(edit.lines.lowerBound)
      line.append(edit.lines.upperBound)
      line.append(edit.replacement) { $0.append($1) }
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
    line.append(path)
    line.append(text)
    line.append(stamp.map { [$0] } ?? []) { $1.write(to: &$0) }
  }

  fileprivate init(from fields: inout FieldReader) throws(FieldReader.Malformed) {
    let (path, text) = (try fields.text(), try fields.text())
    let stamp = try fields.array { fields throws(FieldReader.Malformed) in
      try FileDigest(from: &fields)
    }
    self.init(path: path, stamp: stamp.first, text: text)
  }
}
