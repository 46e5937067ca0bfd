import ArgumentParser
import Glibc

/// The exit statuses of dsshell.
enum ExitStatus {
  static let done: Int32 = 0
  /// A command or an expectation failed.
  static let failed: Int32 = 1
  static let badUsage: Int32 = 2
  /// A script does not parse; no part of it was run.
  static let notParsed: Int32 = 3
  /// No test matched.
  static let nothingMatched: Int32 = 4
  static let interrupted: Int32 = 130
}

extension Error {
  /// Ends the process after the argument parser has stopped: prints help or the version and exits
  /// with ``ExitStatus/done``, or prints the mistake and exits with ``ExitStatus/badUsage`` (the
  /// parser's own status is another).
  func end(of command: (some ParsableCommand).Type) -> Never {
    let isRequested = command.exitCode(for: self) == .success
    let text = command.fullMessage(for: self) + "\n"
    try? OutputStream(isRequested ? STDOUT_FILENO : STDERR_FILENO).writeAll(text)
    Glibc.exit(isRequested ? ExitStatus.done : ExitStatus.badUsage)
  }
}
