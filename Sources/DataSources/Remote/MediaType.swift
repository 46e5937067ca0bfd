import DataTables

/// The media type and the charset of a `Content-Type` header.
struct MediaType: Equatable {
  /// `text/csv`, lowercase, without parameters.
  let name: String
  /// The `charset` parameter, as written.
  let charset: String?

  init(_ header: String) {
    let parts = header.split(separator: ";").map(Self.trimmed)
    name = parts.first?.lowercased() ?? ""
    charset = parts.dropFirst().lazy.compactMap { part -> String? in
      guard let equals = part.firstIndex(of: "="),
        Self.trimmed(part[..<equals]).lowercased() == "charset"
      else { return nil }
      let value = Self.trimmed(part[part.index(after: equals)...])
      return value.filter { $0 != "\"" }
    }.first { !$0.isEmpty }
  }

  /// Whether the body is a document for people, such as an HTML page or a picture, that the
  /// detection of formats could mistake for a table. The extension of the URL does not override
  /// such a type.
  var isForPeople: Bool {
    ["image/", "audio/", "video/", "font/"].contains { name.hasPrefix($0) }
      || name.hasSuffix("+xml")
      || ["text/html", "text/xml", "application/xml", "application/pdf", "text/css"].contains(name)
  }

  /// Whether the body is a document for people, an archive or a script. Some servers send tables
  /// with the types of archives and scripts, so the extension of the URL overrides those types.
  var isForeign: Bool {
    isForPeople
      || [
        "application/zip", "application/gzip", "application/javascript", "text/javascript",
      ].contains(name)
  }

  /// The encoding for ``ReadOptions/encoding``; nil without a charset.
  /// - Throws: `TableError.format` for an unsupported encoding.
  func encoding() throws(TableError) -> String? {
    guard let charset else { return nil }
    if charset.lowercased() == "us-ascii" { return nil }
    guard ReadOptions.isEncoding(charset) else {
      throw .format(
        "the declared encoding is `\(charset)`, which cannot be read (`encoding:` overrides it)",
        at: nil)
    }
    return charset
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
