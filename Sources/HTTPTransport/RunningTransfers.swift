import CCurl
import DataSources

/// The running transfers and those that wait for a connection. Used only on the thread of
/// ``TransferLoop``.
///
/// Waiting transfers are queued here, because libcurl would count the wait toward their timeouts.
struct RunningTransfers {
  /// The maximum number of simultaneous transfers of a host.
  static let connectionsPerHost = 6

  private let multi: UnsafeMutableRawPointer
  private var handles: [UnsafeMutableRawPointer: EasyHandle] = [:]
  private var queues = HostQueues(connections: connectionsPerHost)

  init(_ multi: UnsafeMutableRawPointer) { self.multi = multi }

  /// Whether no transfer runs; then none waits either.
  var isEmpty: Bool { handles.isEmpty }

  mutating func add(_ transfer: Transfer) {
    if queues.enter(transfer) { begin(transfer) }
  }

  /// Starts a transfer; if it has ended or cannot start, starts the next waiting one.
  private mutating func begin(_ transfer: Transfer) {
    var next: Transfer? = transfer
    while let transfer = next {
      // The transfer may have lost its reader while it waited.
      if !transfer.isEnded {
        transfer.start()
        if let handle = EasyHandle(transfer), ccurl_multi_add(multi, handle.easy) == CCURL_OK {
          handles[handle.easy] = handle
          return
        }
        transfer.finish(.network("out of memory for a request", isTransient: false))
      }
      next = queues.leave(transfer)
    }
  }

  /// Aborts a transfer.
  mutating func remove(_ transfer: Transfer) {
    for (easy, handle) in handles where handle.transfer === transfer { remove(easy) }
  }

  /// Removes a transfer, and starts the next one that waits for the host. In the middle of a
  /// response, the removal closes the connection.
  private mutating func remove(_ easy: UnsafeMutableRawPointer) {
    guard let handle = handles.removeValue(forKey: easy) else { return }
    _ = ccurl_multi_remove(multi, easy)
    if let next = queues.leave(handle.transfer) { begin(next) }
  }

  func resume(_ transfers: [Transfer]) {
    if transfers.isEmpty { return }
    for handle in handles.values where transfers.contains(where: { $0 === handle.transfer }) {
      handle.resume()
    }
  }

  /// Sends and receives the data that is ready, and wakes the readers.
  mutating func perform() {
    _ = ccurl_multi_perform(multi)
    var code: Int32 = 0
    while let easy = ccurl_multi_next_ended(multi, &code) {
      guard let handle = handles[easy] else { continue }
      // Read the failure before the removal, which discards its reason.
      let failure = handle.failure(code)
      remove(easy)
      handle.transfer.finish(failure)
    }
    for handle in handles.values { handle.transfer.deliver() }
  }
}
