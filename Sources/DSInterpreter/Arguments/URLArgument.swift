// URLs, also those that `option base` completes.
extension Argument {
  /// A URL; a relative path of a `file:` URL is resolved in the folder of the script, and a path
  /// without a scheme is appended to `option base`.
  func url(in session: inout Session) async throws -> String {
    let text = try await address(in: &session)
    try checkURL(text)
    let colon = text.firstIndex(of: ":") ?? text.startIndex
    let path = text[text.index(after: colon)...]
    guard text[..<colon].lowercased() == "file", !path.hasPrefix("/") else { return text }
    return "file:" + FilePath.resolve(String(path), in: session.options.folder)
  }

  /// A string, unchecked; a path without a scheme is appended to `option base`.
  func address(in session: inout Session) async throws -> String {
    let text = try await string(in: &session)
    guard text.hasPrefix("/") else { return text }
    guard let base = session.options.baseURL else {
      throw error(
        .badArgument,
        "`\(text)` is the path of a URL without its server; write "
          + "`option base http://example.test` before this line (load reads files)")
    }
    return base + text
  }

  /// The value of `option base`.
  func baseURL() throws -> String {
    guard let text else { throw mismatch() }
    try checkURL(text)
    let scheme = ["http://", "https://"].first { text.lowercased().hasPrefix($0) }
    let rest = text.dropFirst(scheme?.count ?? 0)
    let host = rest.prefix { $0 != "/" }
    guard scheme != nil, !host.isEmpty, !rest.contains(where: { "?#".contains($0) }) else {
      throw error(
        .badArgument,
        "`\(text)` is not a base; write http:// or https://, a host, and a path without `?`")
    }
    // The option is shown.
    guard !host.contains("@") else {
      throw error(
        .badArgument, "a base has no login; write `user:` and `password:` where it is used")
    }
    var base = text[...]
    while base.hasSuffix("/") { base = base.dropLast() }
    return String(base)
  }

  /// Checks that a string is a path of a server, or begins with a URL scheme, and has no spaces or control
  /// characters.
  func checkURL(_ text: String) throws {
    let scheme = text.prefix { $0 != ":" }
    let hasScheme =
      !scheme.isEmpty && scheme.endIndex != text.endIndex
      && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    guard hasScheme || text.hasPrefix("/") else {
      throw error(
        .badArgument,
        "`\(text)` is not a URL; a URL begins with http://, https:// or file:, or with / after "
          + "`option base` (load reads files)")
    }
    if let odd = text.unicodeScalars.first(where: { $0.value <= 0x20 || $0.value == 0x7F }) {
      throw error(
        .badArgument,
        odd == " "
          ? "a URL cannot contain a space; write %20" : "a URL cannot contain control characters")
    }
  }
}
