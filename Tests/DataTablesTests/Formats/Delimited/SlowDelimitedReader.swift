@testable import DataTables

/// The rules of delimited text, byte by byte: the reference for the wide scans.
struct SlowDelimitedReader {
  var delimiter = UInt8(ascii: ",")
  var lineEnds = Dialect.LineEnds.lf
  var quote: UInt8? = UInt8(ascii: "\"")
  var escape: UInt8?
  var comment: [UInt8] = []
  var skipsSpaces = false
  var hasTrailingDelimiter = false
  var columns: Int

  struct Outcome: Equatable {
    /// nil for an empty unquoted cell.
    var rows: [[String?]] = []
    var rejects: [Reject] = []
    var padded = 0
    var comments = 0
  }

  struct Reject: Equatable {
    var offset: Int
    var text: String
    var reason: RejectedRow.Reason
  }

  var dialect: Dialect {
    Dialect(
      delimiter: delimiter, lineEnds: lineEnds, quote: quote, escape: escape, comment: comment,
      skipsSpaces: skipsSpaces, hasTrailingDelimiter: hasTrailingDelimiter)
  }

  func read(_ text: [UInt8]) -> Outcome {
    var outcome = Outcome()
    // The last row may lack its line end.
    let bytes = text.last == UInt8(ascii: "\n") || text.isEmpty ? text : text + [UInt8(ascii: "\n")]
    var position = 0
    while position < bytes.count {
      let lineEnd = nextLine(of: bytes, after: position)
      if !comment.isEmpty, bytes[position...].starts(with: comment) {
        outcome.comments += 1
        position = lineEnd
        continue
      }
      var end = lineEnd
      switch row(of: bytes, at: position) {
      case .failure(let fault):
        outcome.rejects.append(
          Reject(offset: position, text: content(bytes, position, lineEnd), reason: fault.reason))
      case .success(var row):
        end = row.end
        let text = content(bytes, position, row.end)
        if hasTrailingDelimiter, row.cells.count == columns + 1, row.cells.last == .some(nil) {
          row.cells.removeLast()
        }
        if text.isEmpty, columns != 1 {
          break
        } else if row.cells.count > columns {
          let reason = RejectedRow.Reason.tooManyFields(row.cells.count)
          outcome.rejects.append(Reject(offset: position, text: text, reason: reason))
        } else {
          if row.cells.count < columns { outcome.padded += 1 }
          let missing = [String?](repeating: nil, count: columns - row.cells.count)
          outcome.rows.append(row.cells + missing)
        }
      }
      position = end
    }
    return outcome
  }

  private struct Fault: Error { let reason: RejectedRow.Reason }

  /// The number of bytes of the line end at an index; 0 for other bytes.
  private func lineEnd(_ bytes: [UInt8], at index: Int) -> Int {
    let rest = bytes[index...]
    if rest.starts(with: "\r\r\n".utf8) { return 3 }
    if rest.starts(with: "\r\n".utf8) { return 2 }
    if rest.starts(with: "\n".utf8) { return 1 }
    return lineEnds == .any && rest.starts(with: "\r".utf8) ? 1 : 0
  }

  private func nextLine(of bytes: [UInt8], after start: Int) -> Int {
    var i = start
    while lineEnd(bytes, at: i) == 0 { i += 1 }
    return i + lineEnd(bytes, at: i)
  }

  private func row(
    of bytes: [UInt8], at start: Int
  ) -> Result<(cells: [String?], end: Int), Fault> {
    var cells: [String?] = []
    var i = start
    while true {
      var cell: [UInt8] = []
      while skipsSpaces, bytes[i] == UInt8(ascii: " ") { i += 1 }
      let isQuoted = bytes[i] == quote
      if isQuoted {
        i += 1
        while true {
          guard i < bytes.count else { return .failure(Fault(reason: .unclosedQuote)) }
          if bytes[i] == escape {
            guard i + 1 < bytes.count else { return .failure(Fault(reason: .unclosedQuote)) }
            cell.append(bytes[i + 1])
            i += 2
            continue
          }
          if bytes[i] == quote {
            i += 1
            // The added line end does not close a quote.
            guard i < bytes.count, bytes[i] == quote else { break }
          }
          cell.append(bytes[i])
          i += 1
        }
        guard i < bytes.count else { return .failure(Fault(reason: .unclosedQuote)) }
        guard bytes[i] == delimiter || lineEnd(bytes, at: i) > 0 else {
          return .failure(Fault(reason: .junkAfterQuote(column: i - start + 1)))
        }
      } else {
        var isEscapeLast = false
        while i < bytes.count, bytes[i] != delimiter, lineEnd(bytes, at: i) == 0 {
          isEscapeLast = false
          if bytes[i] == escape {
            // A line end after the escaped byte still ends the row.
            guard i + 1 < bytes.count else { return .failure(Fault(reason: .unclosedQuote)) }
            if lineEnd(bytes, at: i + 1) > 1 {
              isEscapeLast = true
              i += 1
              break
            }
            i += 1
          }
          cell.append(bytes[i])
          i += 1
        }
        if isEscapeLast, let escape { cell.append(escape) }
        guard i < bytes.count else { return .failure(Fault(reason: .unclosedQuote)) }
      }
      cells.append(cell.isEmpty && !isQuoted ? nil : String(decoding: cell, as: UTF8.self))
      let ending = lineEnd(bytes, at: i)
      if bytes[i] != delimiter { return .success((cells, i + ending)) }
      i += 1
      guard i < bytes.count else { return .failure(Fault(reason: .unclosedQuote)) }
    }
  }

  private func content(_ bytes: [UInt8], _ start: Int, _ end: Int) -> String {
    var i = start
    while i < end, i + lineEnd(bytes, at: i) != end { i += 1 }
    return String(decoding: bytes[start..<i], as: UTF8.self)
  }
}
