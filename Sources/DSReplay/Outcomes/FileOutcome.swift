/// How a script went, as a plain value that can cross from one process to another (``json``).
package struct FileOutcome: Sendable, Equatable {
  /// As it was named.
  package var path: String
  /// As many as the script has; when it does not parse, one that failed.
  package var sections: [SectionOutcome] = []
  /// What made the script unreadable, as pictures; nothing of it was run then.
  package var mistakes: [String] = []
  /// A digest of the file as it was read; updating refuses a file that has another one.
  package var stamp: FileStamp = FileStamp()

  package init(path: String) { self.path = path }

  package var isParsed: Bool { mistakes.isEmpty }
  package var hasFailed: Bool { !isParsed || sections.contains { $0.status == .failed } }
  package var nanoseconds: Int { sections.reduce(0) { $0 &+ $1.nanoseconds } }
  package var failures: [CommandFailure] { sections.flatMap(\.failures) }
  /// Whether there was a command to judge, of which some are skipped.
  var hasCheckedCommands: Bool {
    hasFailed
      || sections.contains {
        $0.passedCommands + $0.skippedCommands > 0 || $0.status == .failedAsExpected
      }
  }
}

/// How a section of a script went.
package struct SectionOutcome: Sendable, Equatable {
  package enum Status: String, Sendable, CaseIterable {
    case passed, failed, skipped
    /// It failed as `xfail` says, and so passed.
    case failedAsExpected
    /// Another section was asked for, or what came before it ended the file.
    case notRun
  }
  /// nil for what stands before the first `section` line.
  package var title: String?
  package var line: Int
  package var status = Status.passed
  /// Why it was skipped, not run, or expected to fail; empty otherwise.
  package var reason = ""
  package var failures: [CommandFailure] = []
  /// Commands that were run and were as expected.
  package var passedCommands = 0
  package var skippedCommands = 0
  /// After a failed `require`, a `quit`, a crash.
  package var notRunCommands = 0
  package var nanoseconds = 0

  package init(title: String?, line: Int) {
    self.title = title
    self.line = line
  }

  /// Whether there is nothing to tell of it but how many commands passed.
  var hasOnlyPasses: Bool {
    failures.isEmpty && skippedCommands == 0 && notRunCommands == 0 && reason.isEmpty
  }
}

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
}
