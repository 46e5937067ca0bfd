/// A row that the scanner rejects.
struct RejectedRow: Sendable {
  enum Reason: Sendable, Equatable {
    case tooManyFields(Int)
    case unclosedQuote
    /// A quote that is not closed within the limit of a row, in bytes; `setting` is the label that
    /// raises it, or "".
    case longQuote(limit: Int, setting: String)
    /// In bytes from the start of the row, counted from 1.
    case junkAfterQuote(column: Int)
    /// A line that is not a row, with the column of the error in bytes from 1.
    case line(LineProblem, column: Int)

    /// Whether the row breaks the quoting rules of delimited text.
    var isQuote: Bool {
      switch self {
      case .unclosedQuote, .longQuote, .junkAfterQuote: true
      case .tooManyFields, .line: false
      }
    }
  }
  var offset: Int
  var length: Int
  var reason: Reason
}

extension RejectedRow {
  /// The row as the load report shows it.
  /// - Parameter lines: counts the lines of `store`.
  func report(
    in store: any ByteStore, keys: Int, lines: inout LineCounter
  ) throws -> Reject {
    let (column, text) =
      switch reason {
      case .tooManyFields(let fields):
        (1, "has \(fields.counted("field")) for \(keys.counted("key"))")
      case .unclosedQuote: (1, "has an unclosed quote")
      case .longQuote(let limit, let setting):
        (
          1,
          "has a quote that is not closed within \(limit.counted("byte"))"
            + (setting.isEmpty ? "" : " (`\(setting)` allows longer rows)")
        )
      case .junkAfterQuote(let column): (column, "has text after a closing quote")
      case .line(let problem, let column): (column, problem.message)
      }
    let bytes = try store.bytes(offset..<offset + min(length, 800))
    return Reject(
      line: try lines.line(at: offset), offset: offset, column: column, reason: text,
      text: String(String(decoding: bytes, as: UTF8.self).prefix(200)))
  }
}
