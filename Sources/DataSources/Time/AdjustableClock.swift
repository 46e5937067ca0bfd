import Glibc
import Synchronization

/// The clock of a session: the system's clock, or a virtual clock. A virtual clock advances when a
/// task sleeps on it, without a real wait. Each reading also advances it, by a tick.
///
/// Measured durations and pure delays use this clock. Waits for external events, such as a response
/// or bytes in a pipe, use the system's time. The clock never goes backward; its date is set
/// separately.
package final class AdjustableClock: Clock, Sendable {
  package struct Instant: InstantProtocol {
    /// Time since the clock was created.
    fileprivate var offset: Duration

    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct State {
    /// The time of a virtual clock; otherwise the difference from the system's clock.
    var offset = Duration.zero
    /// The date of a virtual clock at offset 0, in seconds since 1970; nil for the system's clock.
    var origin: Int?
    /// Time by which each reading advances a virtual clock.
    var tick = Duration.zero

    /// - Parameter passed: time on the system's clock since this clock was created; not evaluated
    ///   for a virtual clock.
    mutating func read(_ passed: @autoclosure () -> Duration) -> Duration {
      guard origin != nil else { return offset + passed() }
      offset += tick
      return offset
    }
  }

  private let state: Mutex<State>
  private let start = ContinuousClock.now

  /// A clock that follows the system's clock.
  package init() { state = Mutex(State()) }

  /// A virtual clock.
  /// - Parameters:
  ///   - date: the initial date, in seconds since 1970.
  ///   - tick: time by which each reading advances the clock.
  package init(date: Int, tick: Duration = .zero) {
    state = Mutex(State(origin: date, tick: tick))
  }

  package var now: Instant {
    Instant(offset: state.withLock { $0.read(start.duration(to: .now)) })
  }

  /// Whether the clock advances only when it is read or slept on.
  package var isVirtual: Bool { state.withLock { $0.origin != nil } }

  package var minimumResolution: Duration { .nanoseconds(1) }

  /// The date in seconds since 1970.
  package var date: Int {
    state.withLock { state in
      state.origin.map { $0 + Int(state.offset.components.seconds) } ?? Self.systemDate
    }
  }

  /// The system's date in seconds since 1970.
  package static var systemDate: Int { Int(time(nil)) }

  /// - Throws: `CancellationError` if the task is canceled before or during the sleep.
  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    let passed = start.duration(to: .now)
    let rest: Duration? = state.withLock { state in
      if state.origin == nil { return deadline.offset - state.offset - passed }
      state.offset = max(state.offset, deadline.offset)
      return nil
    }
    if let rest {
      try await ContinuousClock().sleep(for: rest, tolerance: tolerance)
    } else {
      await Task.yield()
    }
  }

  /// Makes the clock follow the system's clock from now on.
  package func followSystemTime() {
    let passed = start.duration(to: .now)
    state.withLock { state in
      if state.origin == nil { return }
      state.offset -= passed
      state.origin = nil
    }
  }

  /// Makes the clock virtual.
  /// - Parameter date: the new date in seconds since 1970; nil keeps the current date.
  package func freeze(at date: Int? = nil) {
    let passed = start.duration(to: .now)
    let shown = self.date
    state.withLock { state in
      if state.origin == nil { state.offset += passed }
      state.origin = (date ?? shown) - Int(state.offset.components.seconds)
    }
  }
}
