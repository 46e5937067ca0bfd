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

  /// The number of bytes received so far, whenever the pace allows a report. A new count replaces
  /// one that has not been read.
  let counts: AsyncStream<Int>

  private struct State {
    var count = 0
    var reportedCount = 0
    /// The time of the last report, or of the start.
    var lastReport: AdjustableClock.Instant
  }
  private let clock: AdjustableClock
  private let pace: Pace
  private let state: Mutex<State>
  private let reports: AsyncStream<Int>.Continuation

  /// - Parameter clock: the clock of the pace.
  init(_ clock: AdjustableClock, _ pace: Pace = Pace()) {
    self.clock = clock
    self.pace = pace
    state = Mutex(State(lastReport: clock.now))
    (counts, reports) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func add(_ count: Int) {
    let now = clock.now
    let report: Int? = state.withLock { state in
      state.count += count
      let isDue =
        state.count - state.reportedCount >= pace.bytes
        && state.lastReport.duration(to: now) >= pace.interval
      guard isDue else { return nil }
      state.lastReport = now
      state.reportedCount = state.count
      return state.count
    }
    if let report { reports.yield(report) }
  }

  /// Runs the work that receives bytes; ``counts`` ends when the work ends.
  @concurrent
  fileprivate func counting<Result: Sendable>(
    _ work: @Sendable (ReceivedBytes) async throws -> Result
  ) async throws -> Result {
    defer { reports.finish() }
    return try await work(self)
  }
}

extension Fetch {
  /// Runs work outside of this isolation, and reports a partial for each count of the bytes that
  /// the work receives.
  func reportingBytes<Result: Sendable>(
    _ received: ReceivedBytes, isolation: isolated (any Actor)? = #isolation,
    _ work: @escaping @Sendable (ReceivedBytes) async throws -> Result
  ) async throws -> Result {
    async let result = received.counting(work)
    for await count in received.counts { partial(.bytes(count)) }
    return try await result
  }
}
