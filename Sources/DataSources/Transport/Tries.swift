/// The tries of one request. ``TransferLimits/timeout`` covers all of them, with the delays between
/// them; ``TransferLimits/retries`` limits their number.
struct Tries {
  /// The number of retries so far.
  private(set) var retries = 0
  private let request: TransportRequest
  private let retry: Retry
  private let stopwatch: Stopwatch
  /// The delays that took no time.
  private var skipped = Duration.zero
  /// The timeout of the current try, in seconds.
  private var timeout: Double

  init(of request: TransportRequest, _ retry: Retry) {
    self.request = request
    self.retry = retry
    timeout = request.limits.timeout
    stopwatch = retry.stopwatch()
  }

  private var limits: TransferLimits { request.limits }

  /// Seconds.
  private var elapsed: Double { (stopwatch.elapsed + skipped) / .seconds(1) }

  /// Sends the request, with the time that remains.
  mutating func send(through transport: some Transport) async throws -> TransportResponse {
    var request = request
    if retries > 0 { request.limits = try limits.remaining(after: elapsed) }
    timeout = request.limits.timeout
    return try await stopwatch.send(request, through: transport)
  }

  /// The error of a try: if the time that remained for it was too short, the timeout of all tries.
  func failure(_ error: any Error) -> any Error {
    guard retries > 0, case TransportError.timeout(_, seconds: timeout) = error else {
      return error
    }
    return limits.timeoutError
  }

  /// The delay after a response: the one that the server requests, or else the usual one. Nil for a
  /// response that is final: its status is not temporary, or no retry is left, or no time.
  func delay(after response: TransportResponse) -> Duration? {
    guard mayRetry, HTTPStatus.temporary.contains(response.status) else { return nil }
    // A wait of 0 s would repeat the request without a pause.
    guard let seconds = retry.seconds(requestedBy: response), seconds > 0 else { return usualDelay }
    // Compare seconds: a duration of a huge number would overflow.
    return seconds < 1e9 && isEnough(for: seconds) ? .seconds(seconds) : nil
  }

  /// The delay after a connection that failed; nil if the failure is final.
  var delayAfterFailure: Duration? { mayRetry ? usualDelay : nil }

  private var mayRetry: Bool { request.isRepeatable && retries < limits.retries }

  private var usualDelay: Duration? {
    let delay = retry.delay(retries)
    return isEnough(for: delay / .seconds(1)) ? delay : nil
  }

  private func isEnough(for delay: Double) -> Bool { elapsed + delay < limits.timeout }

  /// Waits, and counts the next try.
  /// - Throws: ``TransportError/cancelled`` if the task is canceled.
  mutating func wait(_ delay: Duration) async throws(TransportError) {
    skipped += try await retry.wait(delay)
    retries += 1
  }
}

extension TransferLimits {
  fileprivate var timeoutError: TransportError {
    .timeout(
      "no complete response was received within \(timeout.writtenAsSeconds)", seconds: timeout)
  }

  /// The limits that remain after a time.
  /// - Throws: ``TransportError/timeout(_:seconds:)`` if no time remains.
  fileprivate func remaining(after seconds: Double) throws(TransportError) -> TransferLimits {
    guard seconds < timeout else {
      throw timeoutError
    }
    var rest = self
    rest.timeout -= seconds
    return rest
  }
}
