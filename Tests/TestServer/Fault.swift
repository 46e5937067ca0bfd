import Foundation

/// One way in which a server fails.
///
/// - `/silent`: never responds. `/refuse-body`: a head, then nothing.
/// - `/drop?after=N`: declares 1000 bytes, sends N, breaks the connection; `&times=M`: only the
///   first M times. `/reset`: breaks it immediately. `/short`: declares 20 bytes, ends after 2.
/// - `/head`: ends within the head. `/chunk`: ends within a chunk.
/// - `/slow?milliseconds=N&count=M`: M bytes (10), each N (100) after the previous one.
/// - `/endless`: bytes until the client leaves; `/headers`: headers until the client leaves.
/// - `/to?url=U`: redirects to U; `/endless-to?url=U` with a body without an end.
/// - `/busy?after=S`: 429 with `Retry-After: S` the first time, then `/raw?json`.
/// - `/keep`: a response; the connection is kept, and breaks at the next request.
/// - `/raw?NAME`: one of ``rawResponses``.
struct Fault {
  /// How the connection ends; `abandoned` if the client left, `next` without a response to the next
  /// request.
  enum Ending { case close, abort, abandoned, next }

  private let name: String
  private let query: [String: String]
  private let earlier: Int

  /// - Parameters:
  ///   - target: a path; a proxy receives a URL, whose path counts, or a host and a port, where the
  ///     first word of the host is the name and the second one the query.
  ///   - earlier: the number of earlier requests for this target.
  init(target: String, earlier: Int) {
    let parts = Self.path(in: target).split(separator: "?", maxSplits: 1)
    name = parts.first.map(String.init) ?? ""
    var query: [String: String] = [:]
    for item in parts.dropFirst().first?.split(separator: "&") ?? [] {
      let sides = item.split(separator: "=", maxSplits: 1).map(String.init)
      query[sides.first ?? ""] = sides.count > 1 ? sides[1] : ""
    }
    self.query = query
    self.earlier = earlier
  }

  private static func path(in target: String) -> Substring {
    if target.hasPrefix("/") { return target.dropFirst() }
    guard let scheme = target.firstRange(of: "://") else {
      let words = target.split(separator: ".")
      return words.count < 3 ? words.first ?? "" : "\(words[0])?\(words[1])"
    }
    return target[scheme.upperBound...].drop { $0 != "/" }.dropFirst()
  }

  private func number(_ key: String, else other: Int) -> Int {
    query[key].flatMap(Int.init) ?? other
  }

  /// Sends the response to a client.
  func play(to client: LoopbackSocket) -> Ending {
    switch name {
    case "drop": return drop(client)
    case "reset": return .abort
    case "short": client.send("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nok")
    case "head": client.send("HTTP/1.1 200 OK\r\nContent-Le")
    case "chunk": client.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nhalf")
    case "slow": return drip(client)
    case "endless":
      client.send("HTTP/1.1 200 OK\r\n\r\n")
      return stream(String(repeating: "x", count: 16_384), client)
    case "endless-to":
      client.send("HTTP/1.1 302 Found\r\nLocation: \(query["url"] ?? "/")\r\n\r\n")
      return stream(String(repeating: "x", count: 16_384), client)
    case "headers":
      client.send("HTTP/1.1 200 OK\r\n")
      return stream("X-Name: value\r\n", client)
    case "to":
      let location = "Location: \(query["url"] ?? "/")"
      client.send("HTTP/1.1 302 Found\r\n\(location)\r\nContent-Length: 0\r\n\r\n")
    case "busy" where earlier == 0:
      let delay = "Retry-After: \(number("after", else: 1))"
      client.send("HTTP/1.1 429 Too Many Requests\r\n\(delay)\r\nContent-Length: 0\r\n\r\n")
    case "keep":
      client.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      return .next
    case "busy": client.send(Self.rawResponses["json"] ?? "")
    case "raw": client.send(Self.rawResponses[query.keys.first ?? ""] ?? "")
    case "refuse-body":
      client.send("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n")
      fallthrough
    default:
      client.waitForEnd()
      return .abandoned
    }
    return .close
  }

  private func drop(_ client: LoopbackSocket) -> Ending {
    let body = String(repeating: "x", count: 1000)
    client.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    guard earlier < number("times", else: .max) else {
      client.send(body)
      return .close
    }
    client.send(String(body.prefix(number("after", else: 100))))
    // A reset overtakes bytes that were sent before it.
    Thread.sleep(forTimeInterval: 0.05)
    return .abort
  }

  private func drip(_ client: LoopbackSocket) -> Ending {
    let count = number("count", else: 10)
    client.send(
      "HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nContent-Length: \(count)\r\n\r\n")
    for _ in 0..<count {
      Thread.sleep(forTimeInterval: Double(number("milliseconds", else: 100)) / 1000)
      guard client.send("x") else { return .abandoned }
    }
    return .close
  }

  private func stream(_ text: String, _ client: LoopbackSocket) -> Ending {
    let piece = Array(text.utf8)
    while client.send(piece) {}
    return .abandoned
  }

  /// Unusual or invalid responses; `json` is a good one.
  private static let rawResponses = [
    "json": """
    HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 22\r\n\r\n\
    [{"id": 1}, {"id": 2}]
    """,
    // A fatal alert of TLS, "handshake failure", and the begin of the first message of a server.
    "alert": "\u{15}\u{3}\u{3}\0\u{2}\u{2}\u{28}",
    "half-hello": "\u{16}\u{3}\u{3}\0\u{7A}\u{2}\0\0\u{76}\u{3}\u{3}",
    "not-http": "SSH-2.0-OpenSSH_9.2\r\n",
    "nothing": "",
    "no-reason": "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok",
    "hints": """
    HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok
    """,
    "trailer": """
    HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Late: 1\r\n\r\n
    """,
    "folded": "HTTP/1.1 200 OK\r\nX-Long: a\r\n b\r\nContent-Length: 2\r\n\r\nok",
    "no-realm": "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic\r\nContent-Length: 2\r\n\r\nno",
    "no-gzip": "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nok",
    "no-content": "HTTP/1.1 204 No Content\r\n\r\n",
    "bad-location": "HTTP/1.1 302 Found\r\nLocation: http://[/x\r\nContent-Length: 0\r\n\r\n",
    "file-location":
      "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n",
    "long-length": """
    HTTP/1.1 200 OK\r\nContent-Length: 10000000000000000000000000\r\n\r\n[{"id": 1}]
    """,
    "long-header": """
    HTTP/1.1 200 OK\r\nX-Long: \(String(repeating: "x", count: 400_000))\r\n\
    Content-Length: 2\r\n\r\nok
    """,
    "no-location": "HTTP/1.1 302 Found\r\nContent-Length: 2\r\n\r\nok",
  ]
}
