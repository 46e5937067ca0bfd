internal import CScan

// What is not a regular row.
extension RowScanner {
  /// A row with another number of fields: left out when blank, padded when short, else rejected.
  func takeIrregularRow() {
    let start = scan.position
    let length = contentLength(from: start, to: scan.end)
    if length == 0 && columns != 1 {
      scan.position = scan.end
    } else if scan.fields < columns {
      if findings.firstPadded == nil {
        findings.firstPadded = (offset + start, Int(scan.fields))
      }
      findings.padded += 1
      appendRow(to: scan.end)
    } else {
      reject(to: scan.end, .tooManyFields(Int(scan.fields)))
    }
  }

  /// The length of a row without its terminator.
  func contentLength(from start: Int, to end: Int) -> Int {
    var end = end - 1
    if dialect.terminator == UInt8(ascii: "\n"), end > start, bytes[end - 1] == UInt8(ascii: "\r") {
      end -= 1
    }
    return end - start
  }

  func appendRow(to end: Int) {
    rows[scan.count] = ds_row(start: UInt32(scan.position), end: UInt32(end))
    scan.count += 1
    scan.position = end
  }

  /// Leaves out the comment line at the position; false when it goes on behind the window.
  func takeComment() -> Bool {
    let start = scan.position
    if scan.length - start < dialect.comment.count, !isLast { return false }
    let line = UnsafeRawBufferPointer(rebasing: window[start..<scan.length])
    guard line.starts(with: dialect.comment) else {
      // Only its first byte is that of a comment: a row like any other.
      var end = 0
      var fields: UInt32 = 0
      switch ds_csv_row(&scan, start, &end, &fields) {
      case 0:
        scan.end = end
        scan.fields = fields
        if fields == columns { appendRow(to: end) } else { takeIrregularRow() }
        return true
      case 2:
        return rejectLine(.junkAfterQuote(column: end - start + 1))
      default:
        return false
      }
    }
    guard let end = lineEnd() else { return false }
    findings.comments += 1
    scan.position = end
    return true
  }

  /// Behind the terminator of the line at the position.
  func lineEnd() -> Int? {
    let line = UnsafeBufferPointer(start: bytes + scan.position, count: scan.length - scan.position)
    return line.firstIndex(of: dialect.terminator).map { scan.position + $0 + 1 }
  }

  /// Rejects a row up to the end of its first line: where quotes are broken, the next line is the
  /// next place where a row can begin. False when that line goes on behind the window.
  func rejectLine(_ reason: RejectedRow.Reason) -> Bool {
    guard let end = lineEnd() else { return false }
    reject(to: end, reason)
    return true
  }

  func reject(to end: Int, _ reason: RejectedRow.Reason) {
    let length = contentLength(from: scan.position, to: end)
    findings.rejects.append(
      RejectedRow(offset: offset + scan.position, length: length, reason: reason))
    scan.position = end
  }
}

/// A row that could not be taken, as the scanner finds it.
struct RejectedRow: Sendable {
  enum Reason: Sendable, Equatable {
    case tooManyFields(Int)
    case unclosedQuote
    /// From 1, in bytes from the start of the row.
    case junkAfterQuote(column: Int)
  }
  var offset: Int
  var length: Int
  var reason: Reason
}
