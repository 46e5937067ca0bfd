/// Retries requests after transient failures: 429, 502, 503 and 504, and a connection that failed
/// or broke before the response.
///
/// A request that is not ``TransportRequest/isRepeatable`` is sent once. The transport honors `Retry-After`, in
/// seconds or as a date, up to the longest delay. ``TransferLimits/timeout`` covers all tries: if
/// the delay would exceed it, the last response is returned, or the last error thrown, immediately.
/// A connection that breaks in the middle of a body is handled where the body is read, see
/// ``Transport/exchange(_:retry:reading:)``.
public struct RetryingTransport: Transport {
  private let base: any Transport
  public let retry: Retry

  public init(_ base: any Transport, retry: Retry = Retry()) {
    self.base = base
    self.retry = retry
  }

  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    guard request.isRepeatable else { return try await base.send(request) }
    let stopwatch = retry.stopwatch()
    var request = request
    let limits = request.limits
    for number in 0..<max(0, limits.retries) {
      let delay: Duration
      do {
        let response = try await stopwatch.send(request, through: base)
        guard let wait = Self.delay(after: response, else: retry.delay(number), retry: retry),
          limits.isEnough(for: stopwatch.elapsed + wait / .seconds(1))
        else { return response }
        delay = wait
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

  /// The delay before a retry; nil for a status that is not transient.
  private static func delay(
    after response: TransportResponse, else standard: Duration, retry: Retry
  ) -> Duration? {
    guard [429, 502, 503, 504].contains(response.status) else { return nil }
    return retry.delay(requestedBy: response) ?? standard
  }
}
