import FlyingFox
import Foundation

extension Routes {
  /// - `/digest`: `/items` for the user `ann` with the password `sesame`, by digest authentication
  ///   (RFC 7616 with MD5). `plain=1` sends a challenge of another scheme;
  ///   `before=negotiate` and `before=basic` begin the header with that scheme.
  static var digest: [String: Route] {
    [
      "/digest": { request in
        guard request["plain"] == nil else {
          return unauthorized(#"Negotiate realm="list""#)
        }
        let fields = fields(of: request.header("Authorization") ?? "")
        guard let response = fields["response"], response == expected(fields, request) else {
          let digest = #"Digest realm="list", nonce="n1", qop="auth", algorithm=MD5"#
          let before = ["negotiate": "Negotiate, ", "basic": #"Basic realm="list", "#]
          return unauthorized((request["before"].flatMap { before[$0] } ?? "") + digest)
        }
        return .json(items)
      }
    ]
  }

  private static func unauthorized(_ challenge: String) -> HTTPResponse {
    .text(
      "who are you\n", status: status(401), headers: [HTTPHeader("WWW-Authenticate"): challenge])
  }

  private static func fields(of header: String) -> [String: String] {
    guard header.hasPrefix("Digest ") else { return [:] }
    let pairs = header.dropFirst(7).split(separator: ",").map { field in
      let parts = field.split(separator: "=", maxSplits: 1).map(String.init)
      return (
        parts[0].trimmingCharacters(in: .whitespaces),
        (parts.last ?? "").trimmingCharacters(in: CharacterSet(charactersIn: "\""))
      )
    }
    return Dictionary(pairs) { first, _ in first }
  }

  private static func expected(_ fields: [String: String], _ request: ReceivedRequest) -> String {
    guard fields["username"] == "ann", fields["uri"] == request.target else { return "" }
    let secret = md5("ann:list:sesame")
    let target = md5("\(request.method):\(request.target)")
    let parts = ["nonce", "nc", "cnonce", "qop"].map { fields[$0] ?? "" }
    return md5(([secret] + parts + [target]).joined(separator: ":"))
  }

  private static func md5(_ text: String) -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl", "dgst", "-md5", "-r"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    guard (try? process.run()) != nil else { return "" }
    input.fileHandleForWriting.write(Data(text.utf8))
    try? input.fileHandleForWriting.close()
    let digest = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: digest.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
  }
}
