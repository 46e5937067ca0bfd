import ArgumentParser
import Glibc

extension Error {
  /// Ends with the statuses of this shell, where the parser has others.
  func end(of command: (some ParsableCommand).Type) -> Never {
    let isAnswer = command.exitCode(for: self) == .success
    let text = command.fullMessage(for: self) + "\n"
    try? OutputStream(isAnswer ? STDOUT_FILENO : STDERR_FILENO).writeAll(text)
    Glibc.exit(isAnswer ? ExitStatus.done : ExitStatus.badUsage)
  }
}
