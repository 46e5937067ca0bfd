import CCurl
import DataSources
import Glibc
import Synchronization

/// The thread in which libcurl makes all transfers; it begins with the first and ends when they are
/// through and nobody can ask for more.
final class TransferLoop: Sendable {
  private static let connectionsOfHost = 6

  private struct Orders {
    var started: [Transfer] = []
    var stopped: [Transfer] = []
    var resumed: [Transfer] = []
    var isEnding = false
  }

  private struct State {
    var orders = Orders()
    /// Only `ccurl_multi_wake` is for those outside of the thread.
    var multi: UnsafeMutableRawPointer?
  }

  // The pointer is what keeps the state from being Sendable by itself; it stays behind the lock.
  private let state = Mutex(State())

  func start(_ transfer: Transfer) {
    let isRunning = give { $0.started.append(transfer) }
    if !isRunning && !begin() {
      transfer.finish(.network("there is no thread or memory for a request", isTransient: false))
    }
  }

  /// Closes the connection, in a moment.
  func stop(_ transfer: Transfer) { give { $0.stopped.append(transfer) } }

  func resume(_ transfer: Transfer) { give { $0.resumed.append(transfer) } }

  /// Ends the thread as soon as no transfer is left.
  func end() { give { $0.isEnding = true } }

  /// - Returns: whether a thread is there to take it.
  @discardableResult
  private func give(_ change: (inout Orders) -> Void) -> Bool {
    state.withLock { state in
      change(&state.orders)
      guard let multi = state.multi else { return false }
      _ = ccurl_multi_wake(multi)
      return true
    }
  }

  /// Starts the thread, if another has not done so meanwhile.
  private func begin() -> Bool {
    state.withLock { state in
      if state.multi != nil { return true }
      guard let multi = ccurl_multi_new(Self.connectionsOfHost) else { return false }
      state.multi = multi
      // Signals are for the main thread.
      var all = sigset_t()
      var earlier = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_SETMASK, &all, &earlier)
      defer { pthread_sigmask(SIG_SETMASK, &earlier, nil) }
      var thread = pthread_t()
      let context = Unmanaged.passRetained(self)
      let status = pthread_create(
        &thread, nil,
        { context in
          guard let context else { return nil }
          Unmanaged<TransferLoop>.fromOpaque(context).takeRetainedValue().run()
          return nil
        }, context.toOpaque())
      guard status == 0 else {
        context.release()
        ccurl_multi_free(multi)
        state.multi = nil
        return false
      }
      pthread_detach(thread)
      return true
    }
  }

  private func run() {
    guard let multi = state.withLock({ $0.multi }) else { return }
    var active: [UnsafeMutableRawPointer: EasyHandle] = [:]
    while let orders = takeOrders(isIdle: active.isEmpty) {
      for transfer in orders.started { Self.add(transfer, to: multi, &active) }
      for transfer in orders.stopped { Self.remove(transfer, from: multi, &active) }
      for handle in active.values {
        if orders.resumed.contains(where: { $0 === handle.transfer }) { handle.goOn() }
      }
      _ = ccurl_multi_perform(multi)
      var code: Int32 = 0
      while let easy = ccurl_multi_next_ended(multi, &code) {
        guard let handle = active.removeValue(forKey: easy) else { continue }
        _ = ccurl_multi_remove(multi, easy)
        handle.transfer.finish(handle.failure(code))
      }
      for handle in active.values { handle.transfer.deliver() }
      _ = ccurl_multi_wait(multi, 60_000)
    }
    ccurl_multi_free(multi)
  }

  /// nil when it is time to end.
  private func takeOrders(isIdle: Bool) -> Orders? {
    state.withLock { state in
      let orders = state.orders
      guard !(isIdle && orders.isEnding && orders.started.isEmpty) else {
        state.multi = nil
        return nil
      }
      state.orders = Orders(isEnding: orders.isEnding)
      return orders
    }
  }

  private static func add(
    _ transfer: Transfer, to multi: UnsafeMutableRawPointer,
    _ active: inout [UnsafeMutableRawPointer: EasyHandle]
  ) {
    // Its reader may have gone while it waited to begin.
    if transfer.isEnded { return }
    guard let handle = EasyHandle(transfer), ccurl_multi_add(multi, handle.easy) == CCURL_OK else {
      return transfer.finish(.network("there is no memory for a request", isTransient: false))
    }
    active[handle.easy] = handle
  }

  private static func remove(
    _ transfer: Transfer, from multi: UnsafeMutableRawPointer,
    _ active: inout [UnsafeMutableRawPointer: EasyHandle]
  ) {
    for (easy, handle) in active where handle.transfer === transfer {
      active.removeValue(forKey: easy)
      // In the middle of an answer this closes the connection.
      _ = ccurl_multi_remove(multi, easy)
    }
  }
}
