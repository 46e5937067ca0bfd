import DataTables

/// A non-2xx response, as an error with the first line of its body.
struct StatusFailure {
  let error: SourceError

  /// The maximum number of characters of the excerpt.
  private static let maximumLength = 120

  /// Reads the first line of the body only.
  init(_ response: TransportResponse, to request: TransportRequest) async {
    var line: String?
    let type = response[header: "Content-Type"].map { MediaType($0) }
    if type?.isForeign != true { line = await Self.firstLine(of: response.body) }
    error = .httpStatus(
      response.status, request: request.shown,
      excerpt: line.map { Self.shortened(request.redacting($0)) })
  }

  private static func firstLine(of body: TransportBody) async -> String? {
    var bytes: [UInt8] = []
    do {
      for try await piece in body {
        bytes += piece
        // More than is shown, so that a secret at the end of the excerpt is complete and can be
        // redacted.
        if bytes.count > 4_096 { break }
      }
    } catch {
      // The part that was received may still contain a line.
    }
    let text = String(decoding: bytes.prefix(4_096), as: UTF8.self)
    let line = text.split(whereSeparator: \.isNewline).first {
      $0.contains { !$0.isWhitespace }
    }
    return line.map { String($0.drop(while: \.isWhitespace)) }
  }

  private static func shortened(_ line: String) -> String {
    line.count <= maximumLength ? line : line.prefix(maximumLength - 1) + "…"
  }
}

/// HTTP status codes and their reason phrases (RFC 9110).
enum HTTPStatus {
  static let notModified = 304
  static let noContent = 204

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
