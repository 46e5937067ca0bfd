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
    let whole = url.prefix { $0 != "#" }
    let located = whole.prefix { $0 != "?" }
    var rest = located
    if let colon = located.firstIndex(of: ":"), located[colon...].hasPrefix("://") {
      scheme = located[..<colon].lowercased()
      rest = located[colon...].dropFirst(3)
    } else {
      scheme = ""
    }
    let authority = rest.prefix { $0 != "/" }
    let path = rest.dropFirst(authority.count)
    self.path = path.isEmpty ? "/" : String(path)
    host = Self.host(of: authority, scheme: scheme)
    query = whole.dropFirst(located.count + 1).split(separator: "&").map { part in
      let name = part.prefix { $0 != "=" }
      return HeaderField(
        EncodedBytes.text(of: name),
        EncodedBytes.text(of: part.dropFirst(name.count + 1)))
    }
  }

  private static func host(of authority: Substring, scheme: String) -> String {
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let ports = ["http": ":80", "https": ":443"]
    let usual = ports[scheme] ?? ""
    let isUsual = !usual.isEmpty && host.hasSuffix(usual)
    return (isUsual ? host.dropLast(usual.count) : host).lowercased()
  }
}
