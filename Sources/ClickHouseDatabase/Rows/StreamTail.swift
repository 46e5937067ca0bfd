/// The last bytes of a stream, in which the server may report an error: it writes the text of the
/// error where it stopped, even within a row, and ends the response normally.
struct StreamTail {
  /// The error; nil if the stream is complete.
  let exception: ServerException?

  /// - Parameters:
  ///   - bytes: the last lines.
  ///   - columns: the number of columns; nil if they are not received.
  init(_ bytes: ArraySlice<UInt8>, columns: Int?) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let mark = ServerException.mark(in: text) else {
      exception = nil
      return
    }
    // An error in a value, such as a row of a table of errors, has its row around it.
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    let isWhole =
      lines.last?.isEmpty == true
      && lines.dropLast().allSatisfy { line in line.count { $0 == 0x09 } + 1 == columns }
    let end = text.utf8.dropLast().lastIndex(of: 0x0A) ?? text.startIndex
    let lastCell = text[end...].split(separator: "\t").last ?? ""
    let isLast = ServerException.mark(in: lastCell) != nil || Self.endsException(lastCell)
    exception = isWhole && !isLast ? nil : ServerException(in: text[mark.range.lowerBound...])
  }

  /// Whether a text ends as errors end.
  private static func endsException(_ text: Substring) -> Bool {
    var text = text
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return text.hasSuffix("Exception") || text.hasSuffix(")") && text.contains(" (version ")
  }
}
