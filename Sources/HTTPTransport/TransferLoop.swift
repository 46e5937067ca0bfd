import CCurl
import DataSources
import Glibc
import Synchronization

/// The thread that runs all transfers of libcurl. It starts with the first transfer, and ends after
/// ``end()`` as soon as no transfer is left.
final class TransferLoop: Sendable {
  /// Orders from other threads.
  private struct Orders {
    var started: [Transfer] = []
    var stopped: [Transfer] = []
    var resumed: [Transfer] = []
    var isEnding = false
  }

  private struct State {
    var orders = Orders()
    /// The handle of the running thread; other threads may only pass it to `ccurl_multi_wake`.
    var multi: UnsafeMutableRawPointer?
  }

  // The pointer is not Sendable; the lock protects it.
  private let state = Mutex(State())

  func start(_ transfer: Transfer) {
    let isRunning = send { $0.started.append(transfer) }
    if !isRunning && !begin() {
      transfer.finish(
        .network("no thread or memory is available for a request", isTransient: false))
    }
  }

  /// Makes the thread abort a transfer.
  func stop(_ transfer: Transfer) { send { $0.stopped.append(transfer) } }

  func resume(_ transfer: Transfer) { send { $0.resumed.append(transfer) } }

  /// Ends the thread as soon as no transfer is left.
  func end() { send { $0.isEnding = true } }

  /// - Returns: whether the thread is running and will execute the orders.
  @discardableResult
  private func send(_ change: (inout Orders) -> Void) -> Bool {
    state.withLock { state in
      change(&state.orders)
      guard let multi = state.multi else { return false }
      _ = ccurl_multi_wake(multi)
      return true
    }
  }

  /// Starts the thread unless it is already running.
  /// - Returns: whether the thread is running.
  private func begin() -> Bool {
    state.withLock { state in
      if state.multi != nil { return true }
      guard let multi = ccurl_multi_new() else { return false }
      state.multi = multi
      // The new thread inherits this mask, so it receives no signals.
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
    var transfers = RunningTransfers(multi)
    while let orders = takeOrders(isIdle: transfers.isEmpty) {
      for transfer in orders.started { transfers.add(transfer) }
      for transfer in orders.stopped { transfers.remove(transfer) }
      transfers.resume(orders.resumed)
      transfers.perform()
      _ = ccurl_multi_wait(multi, 60_000)
    }
    ccurl_multi_free(multi)
  }

  /// The orders since the last call; nil if the thread must end.
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
}
