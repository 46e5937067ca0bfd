import DataTables
import Foundation
import TestSupport
import Testing

@testable import DataSources

/// Requests and responses with secrets anywhere in them.
@Suite struct SecretsPropertyTests {
  private static let alphabet = Array("abcXYZ0189-_.~!$'()*+,;/?:@&=# \"\\<>éß漢😀")

  @Test(arguments: Array(UInt64(1)...6))
  func noSecretReachesTheFile(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: seed)
    for round in 0..<20 {
      let path = folder.path(of: "\(round).cassette")
      let secrets = (0..<3).map { _ in secret(by: &random) }
      let respond = response(with: secrets, by: &random)
      let recorder = CassetteRecorder(path: path, through: ScriptedTransport { _ in respond() })
      let request = request(with: secrets, by: &random)
      let sent = try await recorder.send(request)
      #expect(await sent.read().pieces.count > 1)
      let replay = try CassetteReplay(path: path)
      _ = try await replay.send(request)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      for secret in secrets {
        for form in traces(of: secret) where text.contains(form) {
          Issue.record("seed \(seed), round \(round): \(form) of \(secret) is in \(text)")
          return
        }
      }
    }
  }

  private func secret(by random: inout SplitMix64) -> String {
    // Too long to occur by accident; without white space at the ends, which headers lose.
    "<" + String((0..<(10 + random.below(20))).map { _ in random.one(of: Self.alphabet) }) + ">"
  }

  /// The forms in which a secret occurs.
  private func forms(of secret: String) -> [String] {
    let base64 = Base64.encoded(Array(secret.utf8))
    return [
      secret, percentEncoded(secret), base64,
      base64.replacing("+", with: "-").replacing("/", with: "_"),
      inJSON(secret), inJSON(inJSON(secret)), percentEncoded(percentEncoded(secret)),
      inMarkup(secret), secret.replacing("\"", with: "\"\""),
      secret.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(),
      Base64.encoded(Array(("x" + secret).utf8)), Base64.encoded(Array(("xy" + secret).utf8)),
    ]
  }

  private func inJSON(_ text: String) -> String {
    String(Value.string(text).json.dropFirst().dropLast())
  }

  private func inMarkup(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
  }

  private func percentEncoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  /// The strings that must not remain of a secret.
  private func traces(of secret: String) -> [String] {
    forms(of: secret).dropLast(2)
      + forms(of: secret).suffix(2).map { String($0.dropFirst(4).prefix(12)) }
  }

  private func request(
    with secrets: [String], by random: inout SplitMix64
  ) -> TransportRequest {
    var request = TransportRequest(url: "http://a.test/x")
    for (number, secret) in secrets.enumerated() {
      let parameter = RequestParameter("p\(number)", .secret(secret, symbol: "env S\(number)"))
      if random.below(2) == 0 {
        request.query.append(parameter)
      } else {
        request.headers.append(parameter)
      }
      let form = random.one(of: forms(of: secret))
      if random.below(2) == 0 { request.query.append(RequestParameter("q\(number)", .plain(form))) }
      if random.below(2) == 0 { request.headers.append(RequestParameter("Accept", .plain(form))) }
      if random.below(2) == 0 { request.url += "/" + percentEncoded(secret) }
    }
    return request
  }

  private func response(
    with secrets: [String], by random: inout SplitMix64
  ) -> @Sendable () -> TransportResponse {
    var body: [UInt8] = []
    var headers: [HeaderField] = []
    for secret in secrets {
      for _ in 0..<random.below(4) {
        body += random.one(of: ["{\"a\": \"", "x=", " ", "\n", "é", "\0"]).utf8
        body += random.one(of: forms(of: secret)).utf8
        body += random.one(of: ["\"}", "&b=1", " ", "\r\n", "é"]).utf8
      }
      let form = random.one(of: forms(of: secret))
      headers.append(HeaderField(random.one(of: ["ETag", "Link", "Location"]), "<\(form)>"))
    }
    body += Array("the end".utf8)
    let url = "http://a.test/\(percentEncoded(random.one(of: secrets)))"
    // Short pieces, so that secrets extend over several.
    let pieces = stride(from: 0, to: body.count, by: 5).map {
      Array(body[$0..<min($0 + 5, body.count)])
    }
    return { [headers] in TransportResponse(200, headers, url: url, pieces: pieces) }
  }
}
