import DataTables

/// The names to which files and URLs are bound without `let`.
enum LoadedName {
  /// Whether a word is a URL and not a path.
  static func isURL(_ text: String) -> Bool {
    if text.hasPrefix("file:") { return true }
    guard let colon = text.firstRange(of: "://"), colon.lowerBound != text.startIndex else {
      return false
    }
    return text[..<colon.lowerBound].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  /// The names to which a file, a pattern, a folder or a URL may be bound.
  static func all(of text: String) -> [String] {
    isURL(text) ? [ofURL(text)] : [ofFile(text), ofFiles(text)]
  }

  /// The name of a file without its extensions; `stdin` for `-`.
  static func ofFile(_ path: String) -> String {
    path == "-" ? "stdin" : Name.valid(from: FormatTable.standard.stem(of: path))
  }

  /// The last folder without characters of a pattern, else the beginning of the pattern.
  static func ofFiles(_ pattern: String) -> String {
    let folder = pattern.split(separator: "/").last { part in
      !part.contains { "*?[".contains($0) } && part.contains { $0 != "." && $0 != "~" }
    }
    let lead = pattern.lastPathComponent.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return Name.valid(from: String(folder ?? (lead.isEmpty ? "files" : lead)))
  }

  /// The last part of the path, without its extensions, else the host: `posts` of
  /// `https://example.test/posts.json?page=2`, `example` of `https://example.test/`.
  static func ofURL(_ url: String) -> String {
    let address = url.prefix { $0 != "?" && $0 != "#" }
    let parts = address.split(separator: "/")
    guard address.contains("://") else { return ofFile(String(parts.last ?? address)) }
    guard parts.count > 2, let last = parts.last else {
      let host = (parts.dropFirst().first ?? "").split(separator: "@").last ?? ""
      return ofFile(String(host.prefix { $0 != ":" }))
    }
    return ofFile(String(last))
  }
}
