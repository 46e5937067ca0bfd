import DataTables

/// What a `Content-Type` says of a body.
struct MediaType: Equatable {
  /// `text/csv`, lowercase, without parameters.
  let name: String
  /// The `charset` parameter, as it is written.
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

  /// The name of the format that the type is of; nil for a type that says nothing, or is of none.
  var format: String? {
    switch name {
    case "application/json", "text/json": "json"
    case "application/x-ndjson", "application/ndjson", "application/jsonl",
      "application/x-jsonlines", "application/jsonlines":
      "ndjson"
    case "text/csv", "application/csv": "csv"
    case "text/tab-separated-values": "tsv"
    default: name.hasSuffix("+json") ? "json" : nil
    }
  }

  /// Whether the body is a page, a picture or an archive, which a look at the bytes could take for
  /// a table.
  var isForeign: Bool {
    ["image/", "audio/", "video/", "font/"].contains { name.hasPrefix($0) }
      || name.hasSuffix("+xml")
      || [
        "text/html", "text/xml", "application/xml", "application/pdf", "application/zip",
        "application/gzip", "application/javascript", "text/javascript", "text/css",
      ].contains(name)
  }

  /// The encoding for ``ReadOptions/encoding``; nil when none is told.
  /// - Throws: `TableError.format` for one that cannot be read.
  func encoding() throws(TableError) -> String? {
    guard let charset else { return nil }
    if charset.lowercased() == "us-ascii" { return nil }
    guard ReadOptions.isEncoding(charset) else {
      throw .format(
        "the text is said to be in `\(charset)`, which cannot be read (`encoding:` says otherwise)",
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
