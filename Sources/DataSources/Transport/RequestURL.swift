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
    host = parts.host
    path = parts.path.isEmpty ? "/" : parts.path
    query = parts.queryFields
  }
}
