import Synchronization

/// Counts the bytes of the responses to one fetch, and reports the count at intervals.
final class ReceivedBytes: Sendable {
  /// The minimum time and size between two reports.
  struct Pace {
    /// The minimum time since the start or the last report.
    var interval = Duration.seconds(1)
    /// The minimum number of bytes since then: a small response causes the same events on a slow
    /// machine as on a fast one.
    var bytes = 1 << 20
  }

  /// The bytes received so far, at the given pace; a count that was not read in time is replaced by
  /// the next one.
  let counts: AsyncStream<Int>

  private struct State {
    var count = 0
    var toldCount = 0
    var told: AdjustableClock.Instant
  }
  private let clock: AdjustableClock
  private let pace: Pace
  private let state: Mutex<State>
  private let telling: AsyncStream<Int>.Continuation

  /// - Parameter clock: the clock of the pace.
  init(_ clock: AdjustableClock, _ pace: Pace = Pace()) {
    self.clock = clock
    self.pace = pace
    state = Mutex(State(told: clock.now))
    (counts, telling) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func add(_ count: Int) {
    let now = clock.now
    let told: Int? = state.withLock { state in
      state.count += count
      let isWorthTelling =
        state.count - state.toldCount >= pace.bytes && state.told.duration(to: now) >= pace.interval
      guard isWorthTelling else { return nil }
      state.told = now
      state.toldCount = state.count
      return state.count
    }
    if let told { telling.yield(told) }
  }

  /// Runs the work that receives bytes; ``counts`` ends when it ends.
  @concurrent
  fileprivate func counting<Answer: Sendable>(
    _ work: @Sendable (ReceivedBytes) async throws -> Answer
  ) async throws -> Answer {
    defer { telling.finish() }
    return try await work(self)
  }
}

extension Fetch {
  /// Runs work that receives bytes outside of this isolation, and reports a partial for each count.
  func tellingBytes<Answer: Sendable>(
    _ received: ReceivedBytes, isolation: isolated (any Actor)? = #isolation,
    _ work: @escaping @Sendable (ReceivedBytes) async throws -> Answer
  ) async throws -> Answer {
    async let answer = received.counting(work)
    for await count in received.counts { partial(.bytes(count)) }
    return try await answer
  }
}
