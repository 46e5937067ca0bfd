import DataTables

/// The text format of a cassette, made to be read, compared and edited:
///
///     dsshell cassette 1
///
///     GET http://127.0.0.1:8000/posts?page=1
///     > Accept: application/json
///     < 200
///     < Content-Type: application/json
///     ~ 10
///     | [{"id": 1},
///     |  {"id": 2}]
///     |
///
///     GET http://127.0.0.1:8000/posts?page=2
///     ! dropped: 127.0.0.1:8000 closed the connection
///
/// The first character of a line determines its content:
/// - `GET` or `POST`, a request; `>`, a header of it; `+`, a line of the body of a POST;
/// - `@`, the status of a redirection and the URL that it led to;
/// - `<`, the status of the response, with its URL if that differs from the request; then its
///   headers;
/// - `~`, the lengths of the pieces of the body, such as `10 4096x3`, without the last piece, which
///   is the rest of the body;
/// - `|`, a line of the body; the lines are joined with line feeds, so an empty last line is a line
///   feed at the end;
/// - `=`, a body that is not text, in base64;
/// - `!`, the fault that ended the exchange: `dropped`, `network`, `timeout SECONDS`,
///   `limit SETTING`, then a colon and its message;
/// - `#`, a comment; `#GET` instead of `GET` (and `#POST`), an exchange that is skipped because it was not
///   written completely.
///
/// A space follows the character. A `\` instead of the space means that the rest has escapes: `\r`,
/// `\t`, `\n`, `\s` for a space at the end, `\\`, and `\u{…}` for other invisible characters.
enum CassetteText {
  static let heading = "dsshell cassette"
  static let version = 1
  static let methods = ["GET", "POST"]
  /// Marks an exchange until all of it is written.
  static let unfinished = UInt8(ascii: "#")
}

extension CassetteText {
  /// The text of a whole cassette.
  static func text(of exchanges: [String]) -> [UInt8] {
    var bytes = Array("\(heading) \(version)\n".utf8)
    for exchange in exchanges {
      bytes.append(UInt8(ascii: "\n"))
      bytes += exchange.utf8
    }
    return bytes
  }

  /// The lines of an exchange, each with a line feed.
  static func text(of exchange: Exchange) -> String {
    let request = exchange.request
    var lines = ["\(request.method) " + PercentEncoding.completed(request.url[...])]
    lines += request.headers.map { line(">", "\($0.name): \($0.value)") }
    if !request.body.isEmpty {
      lines += request.body.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        .map { line("+", String($0)) }
    }
    if let response = exchange.response { lines += self.lines(of: response) }
    if let fault = exchange.fault { lines.append(line("!", self.text(of: fault))) }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func lines(of response: RecordedResponse) -> [String] {
    let source = response.url.map { " " + PercentEncoding.completed($0[...]) } ?? ""
    var lines = response.redirections.map {
      "@ \($0.status) " + PercentEncoding.completed($0.url[...])
    }
    lines.append("< \(response.status)\(source)")
    lines += response.headers.map { line("<", "\($0.name): \($0.value)") }
    if !response.cuts.isEmpty { lines.append("~ " + lengths(of: response.cuts)) }
    guard !response.body.isEmpty else { return lines }
    guard let text = text(of: response.body) else {
      let perLine = 57
      return lines
        + stride(from: 0, to: response.body.count, by: perLine).map {
          "= " + Base64.encoded(response.body[$0..<min($0 + perLine, response.body.count)])
        }
    }
    return lines
      + text.split(separator: 0x0A, omittingEmptySubsequences: false).map {
        line("|", String(decoding: $0, as: UTF8.self))
      }
  }

  /// The bytes if they are text, UTF-8 without control characters; nil otherwise.
  private static func text(of body: [UInt8]) -> [UInt8]? {
    let isText = body.allSatisfy { $0 >= 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    return isText && String(validating: body, as: UTF8.self) != nil ? body : nil
  }

  /// `10 4096x3`.
  private static func lengths(of cuts: [Int]) -> String {
    var runs: [(length: Int, count: Int)] = []
    for (start, end) in zip([0] + cuts, cuts) {
      if let last = runs.last, last.length == end - start {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((end - start, 1))
      }
    }
    return runs.map { $0.count == 1 ? "\($0.length)" : "\($0.length)x\($0.count)" }
      .joined(separator: " ")
  }

  private static func text(of fault: TransportError) -> String {
    switch fault {
    case .network(let what, let isTransient): (isTransient ? "dropped: " : "network: ") + what
    case .timeout(let what, let seconds): "timeout \(seconds): " + what
    case .limit(let what, let setting): "limit \(setting): " + what
    case .badURL, .io, .cassette, .denied, .cancelled: "network: " + fault.message
    }
  }

  private static func line(_ marker: String, _ text: String) -> String {
    let plain = text.unicodeScalars
    guard !plain.isEmpty else { return marker }
    if let last = plain.last, last != " ", last != "\t", !plain.contains(where: isHidden) {
      return marker + " " + text
    }
    return marker + "\\" + LineEscapes.escaped(text)
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    LineEscapes.mustEscape(scalar)
  }
}
