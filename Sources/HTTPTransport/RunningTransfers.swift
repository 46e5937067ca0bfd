import CCurl
import DataSources

/// The running transfers and those that wait for a connection. Only for the thread of
/// ``TransferLoop``.
///
/// They wait here because libcurl would count that time as the server's.
struct RunningTransfers {
  private static let connectionsOfHost = 6

  private let multi: UnsafeMutableRawPointer
  private var handles: [UnsafeMutableRawPointer: EasyHandle] = [:]
  private var queues = HostQueues(connections: connectionsOfHost)

  init(_ multi: UnsafeMutableRawPointer) { self.multi = multi }

  /// Whether no transfer runs; then none waits either.
  var isEmpty: Bool { handles.isEmpty }

  mutating func add(_ transfer: Transfer) {
    if queues.enter(transfer) { begin(transfer) }
  }

  /// Starts a transfer, or the next waiting one if it cannot start any longer.
  private mutating func begin(_ transfer: Transfer) {
    var next: Transfer? = transfer
    while let transfer = next {
      // It may have lost its reader while it waited.
      if !transfer.isEnded {
        // The time of the server begins.
        transfer.start()
        if let handle = EasyHandle(transfer), ccurl_multi_add(multi, handle.easy) == CCURL_OK {
          handles[handle.easy] = handle
          return
        }
        transfer.finish(.network("there is no memory for a request", isTransient: false))
      }
      next = queues.leave(transfer)
    }
  }

  /// Aborts a transfer.
  mutating func remove(_ transfer: Transfer) {
    for (easy, handle) in handles where handle.transfer === transfer { remove(easy) }
  }

  // In the middle of a response this closes the connection.
  private mutating func remove(_ easy: UnsafeMutableRawPointer) {
    guard let handle = handles.removeValue(forKey: easy) else { return }
    _ = ccurl_multi_remove(multi, easy)
    if let next = queues.leave(handle.transfer) { begin(next) }
  }

  func resume(_ transfers: [Transfer]) {
    if transfers.isEmpty { return }
    for handle in handles.values where transfers.contains(where: { $0 === handle.transfer }) {
      handle.goOn()
    }
  }

  /// Sends and receives what is ready, and wakes the readers.
  mutating func perform() {
    _ = ccurl_multi_perform(multi)
    var code: Int32 = 0
    while let easy = ccurl_multi_next_ended(multi, &code) {
      guard let handle = handles[easy] else { continue }
      // Before it is removed, which discards the reason of a failure.
      let failure = handle.failure(code)
      remove(easy)
      handle.transfer.finish(failure)
    }
    for handle in handles.values { handle.transfer.deliver() }
  }
}
