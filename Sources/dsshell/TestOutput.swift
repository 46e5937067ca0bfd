import DSReplay
import DisplayText
import Glibc

/// Standard output of `dsshell test`.
///
/// A reader that closes its pipe, such as `head`, is not an error: the tests still run, and their
/// result determines the exit status. Every other failed write is an error, unless a signal
/// interrupted it.
final class TestOutput {
  private let stream = OutputStream(STDOUT_FILENO)
  private var failure: ReportError?

  func write(_ text: String) throws(ReportError) {
    if let failure { throw failure }
    do throws(OutputError) {
      try stream.writeAll(text)
    } catch {
      // The signal that interrupted a write determines the exit status; later writes may succeed.
      guard case .failed(let number) = error, number != EINTR else { return }
      let failure = ReportError(reason: String(cString: strerror(number)))
      self.failure = failure
      throw failure
    }
  }

  /// Detects a write error that the file system reports only when the file is closed.
  /// - Returns: the exit status of a run whose status was `status` so far.
  func finish(_ status: Int32) -> Int32 {
    if failure != nil { return status }
    // Closing a duplicate reports the error too, and standard output stays open.
    let copy = dup(STDOUT_FILENO)
    guard copy >= 0, close(copy) != 0, errno != EINTR else { return status }
    let reason = String(cString: strerror(errno))
    OutputStream.writeError("the report was not written to standard output: \(reason)")
    return status == ExitStatus.done ? ExitStatus.failed : status
  }
}

extension OutputStream {
  /// Writes an error message to standard error.
  static func writeError(_ message: String) {
    writeLine("error: \(message)".escapingControls(keepsLines: true), to: STDERR_FILENO)
  }

  /// Writes a line; an error is ignored.
  static func writeLine(_ line: String, to descriptor: Int32) {
    try? OutputStream(descriptor).writeAll(line + "\n")
  }
}
