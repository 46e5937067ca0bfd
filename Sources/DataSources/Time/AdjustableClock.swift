package import DataTables
import Glibc
import Synchronization

/// The clock of a session: the system's clock, or a virtual clock. A virtual clock advances when a
/// task sleeps on it, without a real wait. Each reading also advances it, by a tick.
///
/// If several tasks use a virtual clock, they run on a ``DeterministicExecutor``: it advances the clock
/// to the next deadline when all of them wait. Elsewhere a sleep advances the clock at once.
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

  /// The clock that dates the contents of sources. A session sets its own clock while it runs a
  /// command.
  @TaskLocal package static var current = AdjustableClock()

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
    // A flag is raised before the task is canceled, so that a canceled sleep never advances the clock.
    let flag = Cancellation.current
    try await sleep(until: deadline, flag) {
      if flag?.isCancelled ?? false { throw CancellationError() }
      try Task.checkCancellation()
    }
  }

  /// Sleeps in the caller's isolation, so that a fetch needs no other task to be cancelable.
  /// - Throws: `CancellationError` if the task is canceled; `TableError.cancelled` if the flag is
  ///   raised.
  package func sleep(
    for duration: Duration, cancellation: Cancellation,
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try await sleep(until: now.advanced(by: duration), cancellation) {
      try cancellation.check()
      try Task.checkCancellation()
    }
  }

  private func sleep(
    until deadline: Instant, _ flag: Cancellation?,
    isolation: isolated (any Actor)? = #isolation, check: () throws -> Void
  ) async throws {
    try check()
    if let executor = DeterministicExecutor.running {
      await executor.wait(until: deadline, of: self, endsWithTask: true) {
        flag?.isCancelled ?? false
      }
      return try check()
    }
    while true {
      let rest = rest(until: deadline)
      if rest <= .zero { return }
      if advance(to: deadline) { return }
      // Polls, because a signal handler that raises a flag cannot wake a task.
      try await ContinuousClock().sleep(for: min(rest, Self.pollTime))
      try check()
    }
  }

  /// Waits until a condition holds or a deadline passes.
  ///
  /// - Parameters:
  ///   - deadline: nil for no limit. Outside of a ``DeterministicExecutor``, a virtual clock does not
  ///     advance, and the wait has no limit.
  ///   - endsWithTask: whether canceling the task ends the wait.
  ///   - condition: called often, in the isolation of the caller.
  package func wait(
    until deadline: Instant? = nil, endsWithTask: Bool = false,
    isolation: isolated (any Actor)? = #isolation, _ condition: @escaping () -> Bool
  ) async {
    if let executor = DeterministicExecutor.running {
      if condition() { return }
      return await executor.wait(
        until: deadline, of: self, endsWithTask: endsWithTask, or: condition)
    }
    while !condition() {
      if let deadline, !isVirtual, rest(until: deadline) <= .zero { return }
      if Task.isCancelled {
        if endsWithTask { return }
        // A sleep of a canceled task would return at once.
        await Task { try? await Task.sleep(for: Self.waitPollTime) }.value
      } else {
        // Polls, because a signal handler that raises a flag cannot wake a task.
        try? await Task.sleep(for: Self.waitPollTime)
      }
    }
  }

  private static let pollTime = Duration.milliseconds(20)
  private static let waitPollTime = Duration.milliseconds(2)

  /// The time until a deadline, without a tick; negative after it.
  func rest(until deadline: Instant) -> Duration {
    instant(after: .zero).duration(to: deadline)
  }

  /// Advances a virtual clock to a deadline, unless it has passed.
  /// - Returns: false for the system's clock, which does not change.
  @discardableResult
  func advance(to deadline: Instant) -> Bool {
    state.withLock { state in
      guard state.origin != nil else { return false }
      state.offset = max(state.offset, deadline.offset)
      return true
    }
  }

  /// The instant after a duration, without a tick.
  package func instant(after duration: Duration) -> Instant {
    let passed = start.duration(to: .now)
    return Instant(
      offset: state.withLock { $0.offset + ($0.origin == nil ? passed : .zero) } + duration)
  }

  /// Advances a virtual clock; tasks on a ``DeterministicExecutor`` run meanwhile.
  package func advance(
    by duration: Duration, isolation: isolated (any Actor)? = #isolation
  ) async {
    await advance(until: instant(after: duration))
  }

  /// Advances a virtual clock to an instant, unless that has passed; tasks on a
  /// ``DeterministicExecutor`` run meanwhile.
  package func advance(
    until deadline: Instant, isolation: isolated (any Actor)? = #isolation
  ) async {
    guard isVirtual else { return }
    try? await sleep(until: deadline, nil) {}
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
