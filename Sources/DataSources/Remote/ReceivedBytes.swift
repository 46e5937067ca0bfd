import Synchronization

/// Counts the bytes of the answers to one fetch, and tells of them now and then.
final class ReceivedBytes: Sendable {
  /// When it is worth telling of more bytes.
  struct Pace {
    /// The least time from the begin, or from what was told last.
    var interval = Duration.seconds(1)
    /// The least number of bytes since then. The events of a small answer are always the same, on
    /// however slow a machine.
    var bytes = 1 << 20
  }

  /// The bytes so far, at the pace that was asked for; what nobody took in time gives way to what is
  /// newer.
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

  /// - Parameter clock: by which the pace is kept.
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

  /// Runs what receives; ``counts`` ends with it.
  @concurrent
  fileprivate func counting<Answer: Sendable>(
    _ work: @Sendable (ReceivedBytes) async throws -> Answer
  ) async throws -> Answer {
    defer { telling.finish() }
    return try await work(self)
  }
}

extension Fetch {
  /// Runs what receives bytes elsewhere, and tells a partial of them as long as it goes on.
  func tellingBytes<Answer: Sendable>(
    _ received: ReceivedBytes, isolation: isolated (any Actor)? = #isolation,
    _ work: @escaping @Sendable (ReceivedBytes) async throws -> Answer
  ) async throws -> Answer {
    async let answer = received.counting(work)
    for await count in received.counts { partial(.bytes(count)) }
    return try await answer
  }
}
