@testable import DataTables

/// The rules of delimited text, byte by byte: the reference for the wide scans.
struct SlowDelimitedReader {
  var delimiter = UInt8(ascii: ",")
  var terminator = UInt8(ascii: "\n")
  var comment: [UInt8] = []
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

  func read(_ text: [UInt8]) -> Outcome {
    var outcome = Outcome()
    // The last row may lack its terminator.
    let bytes = text.last == terminator || text.isEmpty ? text : text + [terminator]
    var position = 0
    while position < bytes.count {
      let lineEnd = (bytes[position...].firstIndex(of: terminator) ?? bytes.count - 1) + 1
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
      case .success(let row):
        end = row.end
        let text = content(bytes, position, row.end)
        if text.isEmpty && columns != 1 {
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

  private func row(
    of bytes: [UInt8], at start: Int
  ) -> Result<(cells: [String?], end: Int), Fault> {
    var cells: [String?] = []
    var i = start
    while true {
      var cell: [UInt8] = []
      let isQuoted = bytes[i] == UInt8(ascii: "\"")
      if isQuoted {
        i += 1
        while true {
          guard i < bytes.count else { return .failure(Fault(reason: .unclosedQuote)) }
          if bytes[i] == UInt8(ascii: "\"") {
            i += 1
            // The added terminator does not close a quote.
            guard i < bytes.count, bytes[i] == UInt8(ascii: "\"") else { break }
          }
          cell.append(bytes[i])
          i += 1
        }
        guard i < bytes.count else { return .failure(Fault(reason: .unclosedQuote)) }
        if terminator == UInt8(ascii: "\n"), bytes[i] == UInt8(ascii: "\r"), i + 1 < bytes.count,
          bytes[i + 1] == terminator
        {
          i += 1
        }
        guard bytes[i] == delimiter || bytes[i] == terminator else {
          return .failure(Fault(reason: .junkAfterQuote(column: i - start + 1)))
        }
      } else {
        while bytes[i] != delimiter && bytes[i] != terminator {
          cell.append(bytes[i])
          i += 1
        }
        if bytes[i] == terminator, terminator == UInt8(ascii: "\n"), cell.last == UInt8(ascii: "\r")
        {
          cell.removeLast()
        }
      }
      cells.append(cell.isEmpty && !isQuoted ? nil : String(decoding: cell, as: UTF8.self))
      i += 1
      if bytes[i - 1] == terminator { return .success((cells, i)) }
    }
  }

  private func content(_ bytes: [UInt8], _ start: Int, _ end: Int) -> String {
    var line = bytes[start..<end].dropLast()
    if terminator == UInt8(ascii: "\n"), line.last == UInt8(ascii: "\r") { line = line.dropLast() }
    return String(decoding: line, as: UTF8.self)
  }
}
