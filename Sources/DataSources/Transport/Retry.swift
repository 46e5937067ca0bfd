import Synchronization

/// The delays before a failed request is sent again. The maximum delay doubles with each try, and
/// each delay is a random part of it, so that many clients do not retry at the same moment.
public struct Retry: Sendable {
  /// The maximum delay before the first retry.
  public var firstDelay = Duration.milliseconds(500)
  /// The maximum delay, unless a server requests a longer one.
  public var longestDelay = Duration.seconds(30)
  /// Whether the delays take time. Responses from files need no delay, which is counted as if it had
  /// been waited, so that the same tries follow. A virtual clock passes it in any case.
  package var takesTime = true
  private let clock: any Clock<Duration>
  private let date: @Sendable () -> Int
  private let random: @Sendable () -> Double

  /// - Parameter random: returns a number in `0..<1`.
  public init(
    clock: any Clock<Duration> = ContinuousClock(),
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.init(clock: clock, date: { AdjustableClock.systemDate }, random: random)
  }

  /// - Parameters:
  ///   - clock: the clock of the delays and of the time of all tries.
  ///   - date: returns the seconds since 1970, for a `Retry-After` header with a date.
  ///   - random: returns a number in `0..<1`.
  package init(
    clock: any Clock<Duration>, date: @escaping @Sendable () -> Int,
    random: @escaping @Sendable () -> Double
  ) {
    self.clock = clock
    self.date = date
    self.random = random
  }

  /// The delay before retry `number`, counted from 0.
  func delay(_ number: Int) -> Duration {
    let doubled = firstDelay * Double(1 << min(max(number, 0), 20))
    return min(longestDelay, doubled) * random()
  }

  /// The seconds that a response requests in a `Retry-After` header; nil without a valid one.
  func seconds(requestedBy response: TransportResponse) -> Double? {
    response.retryAfter(on: date())
  }

  /// - Returns: the part of the delay that took no time.
  /// - Throws: ``TransportError/cancelled`` if the task is canceled.
  func wait(_ delay: Duration) async throws(TransportError) -> Duration {
    guard takesTime || (clock as? AdjustableClock)?.isVirtual ?? false else { return delay }
    do { try await clock.sleep(for: delay) } catch { throw .cancelled }
    return .zero
  }

  /// Returns a stopwatch that starts now.
  func stopwatch() -> Stopwatch { Stopwatch(clock: clock) }
}

/// The time since its creation, without the time that requests waited in queues.
struct Stopwatch: Sendable {
  private let read: @Sendable () -> Duration
  private let queues = QueueTime()

  init(clock: some Clock<Duration>) {
    let start = clock.now
    read = { start.duration(to: clock.now) }
  }

  var elapsed: Duration { read() - queues.total }

  /// Sends a request; the stopwatch pauses while it waits in a queue.
  func send(
    _ request: TransportRequest, through transport: some Transport
  ) async throws -> TransportResponse {
    try await QueueTime.$current.withValue(queues) { try await transport.send(request) }
  }
}

/// The time that requests waited until their transport could start them, for which the server is
/// not responsible.
///
/// A transport that queues requests adds to ``current``; a time limit for several requests
/// subtracts the total.
package final class QueueTime: Sendable {
  @TaskLocal package static var current: QueueTime?

  private let outer = QueueTime.current
  private let sum = Mutex(Duration.zero)

  /// Time that is added is also added to the instance that is ``current`` now.
  init() {}

  package func add(_ time: Duration) {
    sum.withLock { $0 += time }
    outer?.add(time)
  }

  var total: Duration { sum.withLock { $0 } }
}
