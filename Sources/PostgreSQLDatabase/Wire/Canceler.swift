import CPostgreSQL
import Dispatch

/// Requests that the server end the statement of a connection. A request is a connection of its own,
/// which libpq waits for: the wait has a thread of its own.
final class Canceler: @unchecked Sendable {
  // Immutable and safe for any thread, as libpq documents.
  private let pointer: UnsafeMutableRawPointer
  private let queue = DispatchQueue(label: "dsshell.postgresql.cancel")
  private let requests = DispatchGroup()

  /// - Parameter pointer: is freed with this object.
  init(_ pointer: UnsafeMutableRawPointer) { self.pointer = pointer }

  deinit { cpq_cancel_free(pointer) }

  func start() {
    queue.async(group: requests) { _ = cpq_cancel(self.pointer) }
  }

  /// Waits until the requests have been delivered.
  /// - Returns: whether this happened within `time`.
  func wait(_ time: Duration) -> Bool {
    let milliseconds = Int(time / .milliseconds(1))
    return requests.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
  }
}
