/// When a request that failed is sent again: after a time that doubles with each try, of which a
/// random part is taken, so that many clients do not come back at the same moment.
public struct Retry: Sendable {
  /// The most that is waited before the first retry.
  public var firstDelay = Duration.milliseconds(500)
  /// The most that is waited, also when a server asks for more.
  public var longestDelay = Duration.seconds(30)
  private let clock: any Clock<Duration>
  private let date: @Sendable () -> Int
  private let random: @Sendable () -> Double

  /// - Parameter random: a number from 0 up to 1.
  public init(
    clock: any Clock<Duration> = ContinuousClock(),
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.init(clock: clock, date: { AdjustableClock.systemDate }, random: random)
  }

  /// - Parameters:
  ///   - clock: by which it waits, and measures the time of all tries.
  ///   - date: seconds since 1970, for servers that say until when they want to be left alone.
  ///   - random: a number from 0 up to 1.
  package init(
    clock: any Clock<Duration>, date: @escaping @Sendable () -> Int,
    random: @escaping @Sendable () -> Double
  ) {
    self.clock = clock
    self.date = date
    self.random = random
  }

  /// How long to wait before retry `number`, counted from 0.
  func delay(_ number: Int) -> Duration {
    let doubled = firstDelay * Double(1 << min(max(number, 0), 20))
    return min(longestDelay, doubled) * random()
  }

  /// What a server asked for, cut to ``longestDelay``; nil when it did not ask.
  func delay(askedBy response: TransportResponse) -> Duration? {
    // Cut while it is a number still: a duration overflows.
    response.retryAfter(on: date()).map { .seconds(min(longestDelay / .seconds(1), $0)) }
  }

  /// - Throws: ``TransportError/cancelled`` when the task ends meanwhile.
  func wait(_ delay: Duration) async throws(TransportError) {
    do { try await clock.sleep(for: delay) } catch { throw .cancelled }
  }

  /// Measures from now on.
  func stopwatch() -> Stopwatch { Stopwatch(clock: clock) }
}

/// The time since it was made, but for what requests waited in queues.
struct Stopwatch: Sendable {
  private let read: @Sendable () -> Duration
  private let queues = QueueTime()

  init(clock: some Clock<Duration>) {
    let start = clock.now
    read = { start.duration(to: clock.now) }
  }

  /// Seconds.
  var elapsed: Double { (read() - queues.total) / .seconds(1) }

  /// Sends a request, and stands still while it waits in a queue.
  func send(
    _ request: TransportRequest, through transport: some Transport
  ) async throws -> TransportResponse {
    try await QueueTime.$current.withValue(queues) { try await transport.send(request) }
  }
}

extension TransferLimits {
  func isEnough(for seconds: Double) -> Bool { seconds < timeout }

  /// What is left of them after a time.
  /// - Throws: ``TransportError/timeout(_:seconds:)`` when that is nothing.
  func remaining(after seconds: Double) throws(TransportError) -> TransferLimits {
    guard isEnough(for: seconds) else {
      throw .timeout("there was no whole answer within \(timeout) s", seconds: timeout)
    }
    var rest = self
    rest.timeout -= seconds
    return rest
  }
}
