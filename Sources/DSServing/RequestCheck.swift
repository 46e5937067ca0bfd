import FlyingFox

/// Refuses requests that do not come from the page itself or from its address as it was printed.
struct RequestCheck: Sendable {
  /// `127.0.0.1:41234`
  let authority: String
  /// Random hexadecimal digits, the first step of each path.
  let token: String

  struct Refusal: Equatable {
    let status: Int
    /// A sentence for people.
    let message: String
  }

  enum Outcome: Equatable {
    /// The path after the token.
    case accepted(String)
    case refused(Refusal)
  }

  func outcome(of request: HTTPRequest) -> Outcome {
    // A page of another host whose name leads here (DNS rebinding) sends that name.
    guard request.headers.values(for: .host) == [authority] else {
      return .refused(
        Refusal(
          status: 403,
          message: "This page is only served at http://\(authority); open the printed address."))
    }
    if let site = request.headers[HTTPHeader("Sec-Fetch-Site")],
      site != "same-origin" && site != "none"
    {
      return .refused(Refusal(status: 403, message: "Requests of other sites are refused."))
    }
    if let origin = request.headers[HTTPHeader("Origin")], origin != "http://\(authority)" {
      return .refused(Refusal(status: 403, message: "Requests of other sites are refused."))
    }
    // As sent: the server removes the last slash from `path`.
    let path = request.target.path().drop { $0 == "/" }
    let first = path.prefix { $0 != "/" }
    guard Self.areEqual(Array(first.utf8), Array(token.utf8)), first.endIndex < path.endIndex else {
      return .refused(
        Refusal(status: 404, message: "Nothing is served here; open the printed address."))
    }
    guard request.method == .GET else {
      return .refused(Refusal(status: 405, message: "Only GET is supported."))
    }
    return .accepted(String(path[first.endIndex...].dropFirst()))
  }

  /// Compares in a time that depends only on the lengths.
  static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// 128 random bits as hexadecimal digits.
  static func makeToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
