extension RejectedRow {
  /// The row as the load report shows it.
  /// - Parameter lines: counts the lines of `store`.
  func report(
    in store: any ByteStore, keys: Int, lines: inout LineCounter
  ) throws -> Reject {
    let (column, text) =
      switch reason {
      case .tooManyFields(let fields):
        (1, "has \(fields.grouped) fields for \(keys.grouped) key\(keys == 1 ? "" : "s")")
      case .unclosedQuote: (1, "has an unclosed quote")
      case .junkAfterQuote(let column): (column, "has text after a closing quote")
      case .line(let problem, let column): (column, problem.message)
      }
    let bytes = try store.bytes(offset..<offset + min(length, 800))
    return Reject(
      line: try lines.line(at: offset), offset: offset, column: column, reason: text,
      text: String(String(decoding: bytes, as: UTF8.self).prefix(200)))
  }
}
