/// HTTP status codes and their reason phrases (RFC 9110).
enum HTTPStatus {
  static let notModified = 304
  static let noContent = 204
  static let partialContent = 206
  static let notFound = 404
  static let rangeNotSatisfiable = 416
  /// Failures after which the same request may succeed.
  static let temporary: Set<Int> = [429, 502, 503, 504]

  static func isSuccess(_ status: Int) -> Bool { (200..<300).contains(status) }

  /// `404 Not Found`; the number alone if it has no phrase here.
  static func phrase(_ status: Int) -> String {
    guard let phrase = phrases[status] else { return "\(status)" }
    return "\(status) \(phrase)"
  }

  private static let phrases: [Int: String] = [
    300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other",
    304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
    400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden",
    404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
    407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
    412: "Precondition Failed", 414: "URI Too Long", 416: "Range Not Satisfiable",
    418: "I'm a teapot", 421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked",
    425: "Too Early", 426: "Upgrade Required", 428: "Precondition Required",
    429: "Too Many Requests", 431: "Request Header Fields Too Large",
    451: "Unavailable For Legal Reasons", 500: "Internal Server Error", 501: "Not Implemented",
    502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
    505: "HTTP Version Not Supported", 507: "Insufficient Storage",
    511: "Network Authentication Required",
  ]
}
