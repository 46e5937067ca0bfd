internal import CScan

/// Finds the line of a byte offset. For ascending offsets, counting continues from the previous
/// offset.
struct LineCounter {
  private let store: any ByteStore
  private var dialect: ds_dialect
  private var offset = 0
  private var line = 1

  /// - Parameters:
  ///   - dialect: determines the line ends.
  ///   - known: a row whose line is known, to count from there.
  init(_ store: any ByteStore, dialect: ds_dialect, after known: Reject? = nil) {
    self.store = store
    self.dialect = dialect
    if let known { (offset, line) = (known.offset, known.line) }
  }

  /// Counts lines that end at LF, CR or CRLF.
  init(_ store: any ByteStore) {
    self.init(store, dialect: Dialect(delimiter: 0, lineEnds: .any, quote: nil).kernel)
  }

  /// The line of an offset, from 1.
  /// - Complexity: O(bytes since the last offset), or O(bytes before the offset) if it is lower.
  mutating func line(at target: Int) throws -> Int {
    if target < offset { (offset, line) = (0, 1) }
    while offset < target {
      let count = min(1 << 20, target - offset)
      // Two more bytes show whether a CR at the end belongs to a line end with LF.
      let bytes = try store.bytes(offset..<min(offset + count + 2, store.count))
      guard !bytes.isEmpty else { break }
      let counted = min(count, bytes.count)
      line += bytes.withUnsafeBufferPointer {
        guard let start = $0.baseAddress else { return 0 }
        return ds_csv_count_lines(start, counted, bytes.count, &dialect)
      }
      offset += counted
    }
    return line
  }
}

extension LineCounter {
  /// The line and column of a byte.
  /// - Complexity: as ``line(at:)``, plus O(bytes before the offset in its line).
  mutating func position(of target: Int) throws -> TextPosition {
    let line = try line(at: target)
    var lineStart = target
    let endsAtReturn = Int(dialect.ends) == Int(DS_ENDS_ANY.rawValue)
    func isEnd(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "\n") || endsAtReturn && byte == UInt8(ascii: "\r")
    }
    while lineStart > 0 {
      let start = max(0, lineStart - 4096)
      let bytes = try store.bytes(start..<lineStart)
      if let end = bytes.lastIndex(where: isEnd) {
        lineStart = start + end + 1
        break
      }
      lineStart = start
    }
    return TextPosition(line: line, column: target - lineStart + 1)
  }
}

extension TextPosition {
  /// The line and column of a byte, found by counting the line ends before it.
  package init(of offset: Int, in store: any ByteStore) throws {
    self.init(line: 1, column: 1)
    var lineStart = 0
    var start = 0
    var endsWithReturn = false
    try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
      while start < offset {
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(offset - start))
        let read = try store.read(at: start, into: part)
        if read == 0 { break }
        for (index, byte) in part.prefix(read).enumerated() {
          if byte == 0x0D || byte == 0x0A && !endsWithReturn { line += 1 }
          if byte == 0x0D || byte == 0x0A { lineStart = start + index + 1 }
          endsWithReturn = byte == 0x0D
        }
        start += read
      }
    }
    column = offset - lineStart + 1
  }
}
