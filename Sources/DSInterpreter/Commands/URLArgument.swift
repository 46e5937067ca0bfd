import DataTables

extension Argument {
  /// A URL; a relative path of a `file:` URL is taken from the folder of the script.
  func url(in session: inout Session) async throws -> String {
    let text = try await string(in: &session)
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex,
      text[..<colon].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
    else {
      throw error(
        .badArgument,
        "`\(text)` is no URL, which begins with http://, https:// or file: (load reads files)")
    }
    if let odd = text.unicodeScalars.first(where: { $0.value <= 0x20 || $0.value == 0x7F }) {
      throw error(
        .badArgument,
        odd == " " ? "a space in a URL is written %20" : "a URL has no control characters")
    }
    let path = text[text.index(after: colon)...]
    guard text[..<colon].lowercased() == "file", !path.hasPrefix("/") else { return text }
    return "file:" + FilePath.resolve(String(path), in: session.options.folder)
  }
}
