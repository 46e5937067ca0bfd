import Glibc
import Synchronization

/// The clock of a session: the system's, or a virtual one, which only advances when a task sleeps
/// on it, without a real wait.
///
/// Measured durations and pure delays use it. Waits for external events, such as a response or
/// bytes in a pipe, use the system's time. It never goes backward: its date is set separately.
package final class AdjustableClock: Clock, Sendable {
  package struct Instant: InstantProtocol {
    /// Time since the clock was made.
    fileprivate var offset: Duration

    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct State {
    /// The time of a virtual clock; the difference from the system's clock otherwise.
    var offset = Duration.zero
    /// The date at which a virtual clock was made, in seconds since 1970; nil for the system's
    /// date.
    var origin: Int?
    /// Time by which each reading advances a virtual clock.
    var tick = Duration.zero

    /// - Parameter passed: time on the system's clock since this one was made; not evaluated by a
    ///   virtual clock.
    mutating func read(_ passed: @autoclosure () -> Duration) -> Duration {
      guard origin != nil else { return offset + passed() }
      offset += tick
      return offset
    }
  }

  private let state: Mutex<State>
  private let start = ContinuousClock.now

  /// A clock that follows the system's.
  package init() { state = Mutex(State()) }

  /// A virtual clock.
  /// - Parameters:
  ///   - date: its first date, in seconds since 1970.
  ///   - tick: time by which each reading advances it.
  package init(date: Int, tick: Duration = .zero) {
    state = Mutex(State(origin: date, tick: tick))
  }

  package var now: Instant {
    Instant(offset: state.withLock { $0.read(start.duration(to: .now)) })
  }

  package var minimumResolution: Duration { .nanoseconds(1) }

  /// Seconds since 1970.
  package var date: Int {
    state.withLock { state in
      state.origin.map { $0 + Int(state.offset.components.seconds) } ?? Self.systemDate
    }
  }

  /// The system's date in seconds since 1970.
  package static var systemDate: Int { Int(time(nil)) }

  /// - Throws: `CancellationError` when the task is canceled, before or meanwhile.
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

  /// Follows the system's time from now on.
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
