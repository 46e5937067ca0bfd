/// A URL in the parts that tell requests apart.
struct RequestURL: Hashable, Sendable {
  /// In small letters: `https`; empty when there is none.
  let scheme: String
  /// In small letters, without the port that the scheme has anyway: `example.test:8080`.
  let host: String
  /// Still encoded; `/` when there is none.
  let path: String
  /// Decoded, in the order in which they stand.
  let query: [HeaderField]

  /// What stands before the host, for somebody to be known by, and after `#` is left out.
  init(_ url: String) {
    let parts = URLParts(url)
    scheme = parts.scheme ?? ""
    host = Self.host(of: parts.authority ?? "", scheme: scheme)
    path = parts.path.isEmpty ? "/" : parts.path
    query = (parts.query ?? "").split(separator: "&").map { part in
      let name = part.prefix { $0 != "=" }
      return HeaderField(
        EncodedBytes.text(of: name), EncodedBytes.text(of: part.dropFirst(name.count + 1)))
    }
  }

  private static func host(of authority: String, scheme: String) -> String {
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let usual = ["http": ":80", "https": ":443"][scheme] ?? ""
    let isUsual = !usual.isEmpty && host.hasSuffix(usual)
    return (isUsual ? host.dropLast(usual.count) : host).lowercased()
  }
}
