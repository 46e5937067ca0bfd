package import DataTables

/// Compares the state of something at intervals, where no event reports its changes.
package final class PollingMonitor<State: Equatable>: ChangeMonitor {
  package let interval: Duration?
  private let clock: AdjustableClock
  private let read: (Cancellation) async throws -> State
  private var state: State
  private var next: AdjustableClock.Instant

  package var nextCheck: AdjustableClock.Instant? { next }

  /// - Parameters:
  ///   - state: the state now.
  ///   - read: returns the state; called at most once per interval.
  package init(
    every interval: Duration, clock: AdjustableClock, state: State,
    read: @escaping (Cancellation) async throws -> State
  ) {
    self.interval = interval
    self.clock = clock
    self.state = state
    self.read = read
    next = clock.now.advanced(by: interval)
  }

  package var descriptor: Int32? { nil }

  package func takeChange(cancellation: Cancellation) async throws -> Bool {
    let now = clock.now
    guard now >= next, let interval else { return false }
    // Checks stay at multiples of the interval, also if the clock has advanced by several.
    let passed = max(0, next.duration(to: now) / interval)
    next = next.advanced(by: interval * (Int(min(passed, 1e15)) + 1))
    let new = try await read(cancellation)
    defer { state = new }
    return new != state
  }
}
