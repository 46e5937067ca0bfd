/// Sends requests and returns responses: over HTTP, from a file, a cassette or a stub.
///
/// Several tasks may use a transport at the same time. Canceling a task stops its request
/// immediately.
public protocol Transport: Sendable {
  /// Sends a request and returns when the head of the response is received; the body is received as
  /// it is read. A response of any status is returned, not thrown.
  /// - Throws: ``TransportError``, also while the body is read.
  func send(_ request: TransportRequest) async throws -> TransportResponse
  /// The retry policy for connections that break in the middle of a body.
  var retry: Retry { get }
}

extension Transport {
  /// Uses the machine's clock and random delays.
  public var retry: Retry { Retry() }
}

extension Transport {
  /// Sends a request and reads its response with `read`; if the connection breaks in the middle of
  /// the body, repeats both, unless the request must not be repeated.
  ///
  /// Each retry calls `read` again, with the new response. ``TransferLimits/retries`` limits the
  /// retries before the body and the retries in the middle of the body separately;
  /// ``TransferLimits/timeout`` limits the time of all of them together.
  /// - Parameter retry: the retry policy; nil for the ``retry`` of the transport.
  /// - Throws: ``TransportError``, and the errors of `read`.
  public func exchange<Result>(
    _ request: TransportRequest, retry: Retry? = nil,
    isolation: isolated (any Actor)? = #isolation,
    reading read: (TransportResponse) async throws -> Result
  ) async throws -> Result {
    let retry = retry ?? self.retry
    let stopwatch = retry.stopwatch()
    var rest = request
    var number = 0
    while true {
      // Failures before the body are not retried here: ``RetryingTransport`` retries them.
      let response = try await stopwatch.send(rest, through: self)
      do {
        return try await read(response)
      } catch TransportError.network(let what, isTransient: true) {
        let delay = retry.delay(number)
        number += 1
        guard request.isRepeatable, number <= request.limits.retries,
          request.limits.isEnough(for: stopwatch.elapsed + delay / .seconds(1))
        else { throw TransportError.network(what, isTransient: true) }
        try await retry.wait(delay)
        rest.limits = try request.limits.remaining(after: stopwatch.elapsed)
      }
    }
  }
}

/// The reason for a missing or incomplete response, without secrets.
public enum TransportError: Error, Equatable, Sendable {
  /// An invalid URL, or an unsupported scheme.
  case badURL(String)
  /// The connection failed or broke: `could not connect to 127.0.0.1:9`.
  case network(String, isTransient: Bool)
  /// `seconds` is the exceeded limit.
  case timeout(String, seconds: Double)
  /// A file that cannot be read.
  case io(String)
  /// Too many redirections or bytes.
  case limit(String, setting: String)
  /// The cassette has no exchange for the request.
  case cassette(String)
  /// The request is not allowed, for example while the network is refused.
  case denied(String)
  case cancelled

  /// The error in one clause that begins with a lowercase letter.
  public var message: String {
    switch self {
    case .badURL(let what), .network(let what, _), .timeout(let what, _), .io(let what),
      .cassette(let what), .denied(let what):
      what
    case .limit(let what, let setting): "\(what) (`\(setting):` raises the limit)"
    case .cancelled: "cancelled"
    }
  }
}
