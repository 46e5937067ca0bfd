/// The time that a server asks to wait before the next try.
public struct RequestedWait: Hashable, Sendable {
  public let seconds: Double
  /// The seconds of ``TransferLimits/timeout`` that allow the wait; nil if it failed for another
  /// reason, or if the wait is longer than a limit may be.
  public let sufficientTimeout: Int?

  /// The header `Retry-After` of a temporary failure; nil without one, or for a wait of 0 s.
  init?(_ response: TransportResponse, to request: TransportRequest) {
    guard HTTPStatus.temporary.contains(response.status),
      let seconds = response.retryAfter(on: AdjustableClock.current.date), seconds > 0
    else { return nil }
    self.seconds = seconds
    let limits = request.limits
    let isTooLong = limits.retries > 0 && seconds >= limits.timeout
    sufficientTimeout =
      isTooLong && seconds < Self.longest ? Int(seconds.rounded(.up)) + Self.timeOfResponse : nil
  }

  /// Seconds.
  private static let longest = 900_000.0
  /// Seconds for the response after the wait.
  private static let timeOfResponse = 60

  /// `; the server asks for a wait of 3600 s, which `timeout: 3660` allows`
  var message: String {
    let fix = sufficientTimeout.map { ", which `timeout: \($0)` allows" } ?? ""
    return "; the server asks for a wait of \(seconds.rounded(.up).writtenAsSeconds)\(fix)"
  }
}
