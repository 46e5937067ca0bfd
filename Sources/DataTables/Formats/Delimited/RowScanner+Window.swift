internal import CScan

// The window over the text.
extension RowScanner {
  /// Brings the row at the position to the front and reads on behind it; false at the end.
  func refill() throws -> Bool {
    if isLast { return finishLastRow() }
    let kept = scan.length - scan.position
    if kept > limits.row { return try overlong() }
    let base = window.baseAddress.unsafelyUnwrapped
    if kept > 0 { base.copyMemory(from: base + scan.position, byteCount: kept) }
    offset += scan.position
    scan.position = 0
    scan.length = kept
    if kept > capacity / 2 { grow() }
    try read()
    return true
  }

  /// The bytes that fit the window, besides a terminator of our own and the padding.
  private var capacity: Int { window.count - 1 - Self.padding }

  func read() throws {
    var room = capacity - scan.length
    // Not much further than the stretch goes, as others read what is behind it.
    let rest = max(limit - offset - scan.length, 0)
    room = min(room, endsAtLimit && rest > 0 ? rest : rest + max(4096, scan.length))
    // One byte over the limit is enough to know that a row is too long.
    room = min(room, max(limits.row + 1 - scan.length, 1))
    let target = UnsafeMutableRawBufferPointer(
      rebasing: window[scan.length..<scan.length + room])
    let count = try store.read(at: offset + scan.length, into: target)
    scan.length += count
    try checkEncoding(isAtEnd: count < room)
    if count < room || offset + scan.length >= store.count {
      isLast = true
      if scan.length > 0, bytes[scan.length - 1] != dialect.terminator {
        window[scan.length] = dialect.terminator
        scan.length += 1
      }
    }
  }

  func checkEncoding(isAtEnd: Bool) throws {
    guard let checkedEnd else { return }
    let start = checkedEnd - offset
    let length = scan.length - start
    let valid = kernels.utf8_valid_prefix(bytes + start, length)
    // A character that is cut by the end of the window is looked at again with what follows.
    guard valid == length || (length - valid < 4 && !isAtEnd) else {
      throw TableError.encoding(
        expected: "UTF-8", offset: checkedEnd + valid,
        fitting: TextEncoding.fitting(UnsafeRawBufferPointer(start: bytes + start, count: length)))
    }
    self.checkedEnd = checkedEnd + valid
  }

  /// At the end of the text only an open quote leaves a row that does not end.
  func finishLastRow() -> Bool {
    scan.position < scan.length && rejectLine(.unclosedQuote)
  }

  /// A row beyond the limit: an open quote swallowed what follows, or the file has such a row.
  func overlong() throws -> Bool {
    if let end = lineEnd(), end - scan.position <= limits.row {
      return rejectLine(.unclosedQuote)
    }
    throw TableError.limit(
      "the row at byte \(offset + scan.position) is longer than \(limits.row) bytes",
      setting: "maxRow", at: nil)
  }

  func grow() {
    let size = capacity * 2
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: size + 1 + Self.padding, alignment: 64)
    larger.initializeMemory(as: UInt8.self, repeating: 0)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: window[0..<scan.length]))
    window.deallocate()
    window = larger
  }
}
