/// Sends requests and returns responses: over HTTP, from a file, a cassette or a stub.
///
/// Several tasks may use a transport at the same time. Canceling a task stops its request
/// immediately.
public protocol Transport: Sendable {
  /// Sends a request and returns when the head of the response is received; the body is received as
  /// it is read. A response of any status is returned, not thrown.
  /// - Throws: ``TransportError``, also while the body is read.
  func send(_ request: TransportRequest) async throws -> TransportResponse
  /// How a request is repeated after failures, and how many are sent side by side.
  func policy(for request: TransportRequest) -> SendingPolicy
}

/// How a transport repeats requests, and how many it sends side by side.
public struct SendingPolicy: Sendable {
  /// The delays before retries.
  public var retry: Retry
  /// The number of requests that a source may send at the same time; 1 where the order of the
  /// requests determines the responses, as on a cassette.
  public var parallelRequests: Int

  public init(retry: Retry = Retry(), parallelRequests: Int = 1) {
    self.retry = retry
    self.parallelRequests = parallelRequests
  }
}

extension Transport {
  /// Uses the machine's clock and random delays, and sends one request after the other.
  public func policy(for request: TransportRequest) -> SendingPolicy { SendingPolicy() }
}

extension Transport {
  /// Sends a request and reads its response with `read`; repeats both after a temporary failure,
  /// unless the request must not be repeated.
  ///
  /// Temporary failures are the statuses 429, 502, 503 and 504, and a connection that failed, or
  /// broke before the end of the body. The delay is the one in the `Retry-After` header, in seconds
  /// or as a date, or else (also for 0 s) the one of the policy. If it is longer than what remains of
  /// ``TransferLimits/timeout``, or after ``TransferLimits/retries`` retries, the last response is
  /// read, or the last error thrown.
  /// - Parameters:
  ///   - retry: the delays; nil for those of the transport.
  ///   - slot: where each try is logged; nil to log none.
  /// - Throws: ``TransportError``, and the errors of `read`.
  public func exchange<Result>(
    _ request: TransportRequest, retry: Retry? = nil, slot: ExchangeLog.Slot? = nil,
    isolation: isolated (any Actor)? = #isolation,
    reading read: (TransportResponse) async throws -> Result
  ) async throws -> Result {
    var tries = Tries(of: request, retry ?? policy(for: request).retry)
    while true {
      let logged = slot?.begin(request, retry: tries.retries)
      let delay: Duration
      do {
        let response = try await tries.send(through: self)
        logged?.receive(response)
        guard let wait = tries.delay(after: response) else {
          let result = try await read(response)
          logged?.end()
          return result
        }
        logged?.end()
        delay = wait
      } catch {
        let error = tries.failure(error)
        logged?.fail(error)
        guard case TransportError.network(_, isTransient: true) = error,
          let wait = tries.delayAfterFailure
        else { throw error }
        delay = wait
      }
      try await tries.wait(delay)
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
