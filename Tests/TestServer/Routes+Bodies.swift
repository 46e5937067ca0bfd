import FlyingFox
import Foundation

extension Routes {
  /// - `/echo`: method, target and headers of the request as JSON.
  /// - `/items`: an array of three records; `/wrapped`: under `links`; `/single`: one record under
  ///   `item`; `/items.csv`: as CSV.
  /// - `/invalid`: invalid JSON; `/charset`: Latin-1 that is declared as UTF-8.
  /// - `/bytes?count=N`: N times `x`; `chunked=1` sends it in chunks, without a length.
  /// - `/gzip`: `/items` compressed; `/bomb?megabytes=N`: that many megabytes of zeros, compressed
  ///   to a thousandth.
  /// - `/slow?milliseconds=N`: `/items` after N milliseconds (500).
  /// - `/etag`, `/modified`: `/items` with a validator, and 304 for a request with it.
  static var bodies: [String: Route] {
    [
      "/echo": { request in try .json(echo(request)) },
      "/items": { _ in .json(items) },
      "/wrapped": { _ in .json(#"{"count": 3, "links": \#(items)}"#) },
      "/single": { _ in .json(#"{"item": {"id": 1, "name": "one"}}"#) },
      "/items.csv": { _ in .text("id,name\n1,one\n2,two\n3,three\n", type: "text/csv") },
      "/invalid": { _ in .json(#"[{"id": 1}, {"id":"#) },
      "/charset": { _ in latin1 },
      "/bytes": { request in bytes(request) },
      "/gzip": { _ in
        compressed(Compressed.gzip(Array(items.utf8)), as: "gzip", type: "application/json")
      },
      "/bomb": { request in
        let zeros = Compressed.zeros(megabytes: request.number("megabytes", else: 10))
        return compressed(zeros, as: "deflate", type: "text/plain")
      },
      "/slow": { request in
        try await Task.sleep(for: .milliseconds(request.number("milliseconds", else: 500)))
        return .json(items)
      },
      "/etag": { request in
        validated(request, header: "If-None-Match", value: "\"v1\"", validator: "ETag")
      },
      "/modified": { request in
        validated(
          request, header: "If-Modified-Since", value: "Fri, 02 Nov 2012 10:00:00 GMT",
          validator: "Last-Modified")
      },
    ]
  }

  static let items =
    #"[{"id": 1, "name": "one"}, {"id": 2, "name": "two"}, {"id": 3, "name": "three"}]"#

  private static func echo(_ request: ReceivedRequest) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let echo = Echo(method: request.method, target: request.target, headers: request.headers)
    return try String(decoding: encoder.encode(echo), as: UTF8.self)
  }

  private struct Echo: Encodable {
    let method: String
    let target: String
    let headers: [String: String]
  }

  private static var latin1: HTTPResponse {
    let body = Array(#"[{"name": "caf"#.utf8) + [0xE9] + Array(#""}]"#.utf8)
    return HTTPResponse(
      statusCode: .ok, headers: [.contentType: "application/json; charset=utf-8"], body: Data(body))
  }

  private static func bytes(_ request: ReceivedRequest) -> HTTPResponse {
    let body = Data(repeating: UInt8(ascii: "x"), count: max(0, request.number("count", else: 100)))
    guard request["chunked"] != nil else { return HTTPResponse(statusCode: .ok, body: body) }
    return HTTPResponse(
      statusCode: .ok, body: HTTPBodySequence(from: ChunkedBytes(body), suggestedBufferSize: 1000))
  }

  private static func compressed(_ body: [UInt8], as coding: String, type: String) -> HTTPResponse {
    let headers: HTTPHeaders = [.contentType: type, HTTPHeader("Content-Encoding"): coding]
    return HTTPResponse(statusCode: .ok, headers: headers, body: Data(body))
  }

  private static func validated(
    _ request: ReceivedRequest, header: String, value: String, validator: String
  ) -> HTTPResponse {
    let headers: HTTPHeaders = [HTTPHeader(validator): value]
    if request.header(header) == value {
      return HTTPResponse(statusCode: .notModified, headers: headers)
    }
    return .json(items, headers: headers)
  }
}
