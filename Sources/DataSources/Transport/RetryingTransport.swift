/// Sends a request again that failed in a way that may pass: 429, 502, 503 and 504, and a
/// connection that could not be made or that broke before the answer.
///
/// Only a GET is ever sent, so sending it twice does no harm. `Retry-After` is heeded, in seconds
/// or as a date, up to the longest delay. ``TransferLimits/timeout`` holds over all tries: when the
/// wait would not fit in it, the last answer or error is given at once. A connection that breaks
/// in mid body is for whoever reads the body, see ``Transport/exchange(_:retry:reading:)``.
public struct RetryingTransport: Transport {
  private let base: any Transport
  public let retry: Retry

  public init(_ base: any Transport, retry: Retry = Retry()) {
    self.base = base
    self.retry = retry
  }

  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    let stopwatch = retry.stopwatch()
    var request = request
    let limits = request.limits
    for number in 0..<max(0, limits.retries) {
      let delay: Duration
      do {
        let response = try await base.send(request)
        guard let asked = Self.delay(after: response, else: retry.delay(number), retry: retry)
        else { return response }
        guard limits.isEnough(for: stopwatch.elapsed + asked / .seconds(1)) else { return response }
        delay = asked
      } catch let error as TransportError {
        delay = retry.delay(number)
        guard case .network(_, isTransient: true) = error,
          limits.isEnough(for: stopwatch.elapsed + delay / .seconds(1))
        else { throw error }
      }
      try await retry.wait(delay)
      request.limits = try limits.remaining(after: stopwatch.elapsed)
    }
    return try await base.send(request)
  }

  /// How long to wait before the answer may be another; nil when it will not be.
  private static func delay(
    after response: TransportResponse, else usual: Duration, retry: Retry
  ) -> Duration? {
    guard [429, 502, 503, 504].contains(response.status) else { return nil }
    return retry.delay(askedBy: response) ?? usual
  }
}
