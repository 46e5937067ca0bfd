import FlyingFox
import Foundation

extension Routes {
  /// - `/encoded?form=F&as=NAME&lost=N`: `/items` in the form `gzip`, `members` (gzip in two
  ///   parts), `zlib`, `raw` (deflate alone), `junk` (gzip and other bytes) or `nothing`, without
  ///   its last N bytes (0) and with the shorter length, with the `Content-Encoding` NAME (gzip).
  static var encodings: [String: Route] {
    [
      "/encoded": { request in
        let body = encoded(as: request["form"] ?? "gzip").dropLast(request.number("lost", else: 0))
        let headers: HTTPHeaders = [
          .contentType: "application/json", HTTPHeader("Content-Encoding"): request["as"] ?? "gzip",
        ]
        return HTTPResponse(statusCode: .ok, headers: headers, body: Data(body))
      }
    ]
  }

  private static func encoded(as form: String) -> [UInt8] {
    let bytes = Array(items.utf8)
    switch form {
    case "members":
      return Compressed.gzip(Array(bytes.prefix(20))) + Compressed.gzip(Array(bytes.dropFirst(20)))
    case "zlib": return Compressed.zlib(bytes)
    case "raw": return Compressed.raw(bytes)
    case "junk": return Compressed.gzip(bytes) + Array("junk".utf8)
    case "nothing": return []
    default: return Compressed.gzip(bytes)
    }
  }
}
