import FlyingFox
import Foundation

extension Routes {
  /// - `/status?code=N`: that status, with the body `because`.
  /// - `/flaky?code=N&times=M`: that status M times (2), then `/items`.
  /// - `/busy?times=M&after=S`: 429 with `Retry-After: S` M times (1), then `/items`.
  /// - `/secret`: 401 without `Authorization: Bearer letmein`, else `/items`.
  static func statuses(_ counts: Counts) -> [String: Route] {
    [
      "/status": { request in
        .text("because\n", status: status(request.number("code", else: 500)))
      },
      "/flaky": { request in
        guard counts.next(request) <= request.number("times", else: 2) else { return .json(items) }
        return .text("not yet\n", status: status(request.number("code", else: 503)))
      },
      "/busy": { request in
        guard counts.next(request) <= request.number("times", else: 1) else { return .json(items) }
        let headers: HTTPHeaders = [HTTPHeader("Retry-After"): request["after"] ?? "1"]
        return .text("too many\n", status: status(429), headers: headers)
      },
      "/secret": { request in
        if request.header("Authorization") == "Bearer letmein" { return .json(items) }
        let headers: HTTPHeaders = [HTTPHeader("WWW-Authenticate"): "Bearer"]
        return .text("who are you?\n", status: status(401), headers: headers)
      },
    ]
  }

  static func status(_ code: Int) -> HTTPStatusCode {
    HTTPStatusCode(code, phrase: phrases[code] ?? "Other")
  }

  private static let phrases = [
    301: "Moved Permanently", 302: "Found", 303: "See Other", 307: "Temporary Redirect",
    308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
    404: "Not Found", 429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway",
    503: "Service Unavailable", 504: "Gateway Timeout",
  ]
}
