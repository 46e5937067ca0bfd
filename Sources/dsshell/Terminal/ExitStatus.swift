import ArgumentParser
import DisplayText
import Glibc

/// The exit statuses of dsshell.
enum ExitStatus {
  static let done: Int32 = 0
  /// A command or an expectation failed, or the output could not be written.
  static let failed: Int32 = 1
  static let badUsage: Int32 = 2
  /// A script has mistakes that are found before it runs; no part of it was run.
  static let notParsed: Int32 = 3
  /// No test matched.
  static let nothingMatched: Int32 = 4
  static let interrupted: Int32 = 130

  /// The meanings for people, except those of `dsshell test`.
  static let meanings: [(status: Int32, meaning: String)] = [
    (done, "success"),
    (failed, "a command or an expectation failed, or the output could not be written"),
    (badUsage, "bad usage, or a file of the command line cannot be read"),
    (notParsed, "a script has mistakes that are found before it runs; no part of it was run"),
    (interrupted, "interrupted"),
  ]
}

extension Error {
  /// Ends the process after the argument parser has stopped.
  ///
  /// Prints help or the version and exits with ``ExitStatus/done``, or with ``ExitStatus/failed`` if
  /// it could not be written. Prints a mistake and exits with ``ExitStatus/badUsage``, which differs
  /// from the status of the parser.
  func end(of command: (some ParsableCommand).Type) -> Never {
    // A mistake quotes the options.
    let message = command.fullMessage(for: self)
    let text = message.escapingControls(keepsTabs: true, keepsLines: true) + "\n"
    guard command.exitCode(for: self) == .success else {
      try? OutputStream(STDERR_FILENO).writeAll(text)
      Glibc.exit(ExitStatus.badUsage)
    }
    // A write to a pipe without a reader fails with EPIPE instead of ending the process.
    signal(SIGPIPE, SIG_IGN)
    do throws(OutputError) {
      try OutputStream(STDOUT_FILENO).writeAll(text)
    } catch {
      if let message = error.message {
        OutputStream.writeError(message)
        Glibc.exit(ExitStatus.failed)
      }
    }
    Glibc.exit(ExitStatus.done)
  }
}
