import Glibc
import Synchronization

/// The clock of a session: the machine's, or a virtual one, which stands still unless somebody
/// sleeps by it, and on which sleeping passes at once.
///
/// What tells how long something took, and what waits for nothing but time, goes by it. Whoever waits
/// for something outside, such as an answer or bytes in a pipe, looks for that by the machine's time.
/// It never goes back, whatever is set: dates are counted beside it.
package final class AdjustableClock: Clock, Sendable {
  package struct Instant: InstantProtocol {
    /// Since the clock was made.
    fileprivate var offset: Duration

    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct State {
    /// Where a virtual clock stands; of the machine's, what is added to it.
    var offset = Duration.zero
    /// Seconds from 1970 to the making of the clock; nil for the machine's date.
    var origin: Int?
    /// What passes on a virtual clock with each look at it.
    var tick = Duration.zero

    /// - Parameter passed: on the machine's clock since this one was made; a virtual one does not ask.
    mutating func look(_ passed: @autoclosure () -> Duration) -> Duration {
      guard origin != nil else { return offset + passed() }
      offset += tick
      return offset
    }
  }

  private let state: Mutex<State>
  private let start = ContinuousClock.now

  /// The machine's.
  package init() { state = Mutex(State()) }

  /// A virtual clock.
  /// - Parameters:
  ///   - date: where it begins, in seconds since 1970.
  ///   - tick: what passes with each look at it.
  package init(date: Int, tick: Duration = .zero) {
    state = Mutex(State(origin: date, tick: tick))
  }

  package var now: Instant {
    Instant(offset: state.withLock { $0.look(start.duration(to: .now)) })
  }

  package var minimumResolution: Duration { .nanoseconds(1) }

  /// Seconds since 1970.
  package var date: Int {
    state.withLock { state in
      state.origin.map { $0 + Int(state.offset.components.seconds) } ?? Self.systemDate
    }
  }

  /// The machine's, in seconds since 1970.
  package static var systemDate: Int { Int(time(nil)) }

  /// - Throws: `CancellationError` when the task has ended, or ends meanwhile.
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
}

// What it goes by.
extension AdjustableClock {
  /// Goes by the machine's time from now on.
  package func followSystemTime() {
    let passed = start.duration(to: .now)
    state.withLock { state in
      if state.origin == nil { return }
      state.offset -= passed
      state.origin = nil
    }
  }

  /// Stands still from now on.
  /// - Parameter date: in seconds since 1970; nil for the date that it has.
  package func freeze(at date: Int? = nil) {
    let passed = start.duration(to: .now)
    let shown = self.date
    state.withLock { state in
      if state.origin == nil { state.offset += passed }
      state.origin = (date ?? shown) - Int(state.offset.components.seconds)
    }
  }
}
