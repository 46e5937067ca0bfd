/// The arrangement of the values in a text.
enum JSONLayout: Sendable {
  /// The whole text is an array, whose elements are the rows.
  case elements
  /// One value per line; blank lines are skipped.
  case lines
  /// The whole text is one value.
  case single
  /// Values one after another, with or without white space between them.
  case sequence
}

extension JSONLayout {
  /// The name of the format in reports.
  var name: String {
    switch self {
    case .elements, .single: "JSON"
    case .lines: "NDJSON"
    case .sequence: "concatenated JSON"
    }
  }
}

/// Reads the rows of a JSON text in order through a reused window.
struct JSONCursor: ~Copyable {
  /// A row in the window, valid until the next row is read.
  struct Row {
    /// The offset of the row in the text.
    let offset: Int
    let bytes: UnsafeRawBufferPointer
    /// The line of the row, from 1; counted only in layout `lines`.
    let line: Int
    /// The error in a malformed line; `bytes` then ends at the error.
    let fault: Fault?
    /// The start of the row in the window.
    fileprivate(set) var start = 0

    /// The position in `bytes` of an index that the scanner returned.
    func position(of index: Int) -> Int { index - start }
  }

  struct Fault {
    /// In bytes from the start of the row, counted from 1.
    let column: Int
    let reason: JSONFailure
    /// The character found; nil at the end of the text.
    let found: Unicode.Scalar?

    var message: String { reason.message(found: found) }
  }

  let scanner: JSONScanner
  let store: any ByteStore
  let layout: JSONLayout
  let rowLimit: Int
  let limits: ReadLimits
  private let cancellation: Cancellation
  /// The bounds of the range.
  let start: Int
  private let end: Int
  /// Whether the range includes the start of the text, and so the opening bracket of an array.
  let includesStart: Bool
  /// Whether the range includes the end of the text, and so the closing bracket of an array.
  let includesEnd: Bool
  private let isInner: Bool
  private let depth: Int

  var window: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// The offset in the text of the first byte of the window.
  var base: Int
  var filled = 0
  var position = 0
  private(set) var line = 1
  /// The offset in the text of the first byte of the line.
  var lineStart: Int
  /// Whether to skip the rest of the line.
  var skipsLine = false
  /// Whether the last byte was a carriage return.
  private var endsWithReturn = false
  private var rows = 0
  private var isDone = false
  /// The offset of the end of the rows; set when all rows have been read.
  private(set) var rowsEnd: Int

  /// - Parameters:
  ///   - range: the whole text, or a part of it that starts with a row and ends after a row or
  ///     before the next.
  ///   - includesStart: whether the range includes the start of the text.
  ///   - includesEnd: whether the range includes the end of the text.
  ///   - isInner: whether the array at the start of the range may end before the range does.
  ///   - depth: the number of arrays and objects around the text.
  init(
    _ store: any ByteStore, layout: JSONLayout, range: Range<Int>, includesStart: Bool,
    includesEnd: Bool, keys: JSONKeys, window: Int, limits: ReadLimits, cancellation: Cancellation,
    isInner: Bool = false, depth: Int = 0
  ) {
    self.store = store
    self.layout = layout
    self.includesStart = includesStart
    self.includesEnd = includesEnd
    self.isInner = isInner
    self.depth = depth
    self.limits = limits
    self.cancellation = cancellation
    // Dictionaries store the length of a value in 32 bits.
    rowLimit = max(0, min(limits.row, Int(UInt32.max)))
    start = range.lowerBound
    end = range.upperBound
    base = range.lowerBound
    lineStart = range.lowerBound
    rowsEnd = range.upperBound
    scanner = JSONScanner(
      keys: keys, newlinesAreSpace: layout != .lines,
      depthLimit: max(0, limits.depth) - (layout == .elements ? 1 : 0) - depth)
    capacity = max(1, min(window, range.count))
    self.window = .allocate(capacity: capacity + JSONScanner.padding)
    self.window.initialize(repeating: 0, count: JSONScanner.padding)
  }

  deinit { window.deallocate() }

  /// The next row; nil after the last.
  ///
  /// - Throws: ``TableError`` if the whole text is unreadable: a malformed document, an exceeded
  ///   limit, bytes that are not UTF-8.
  mutating func next() throws -> Row? {
    if skipsLine { try skipLine() }
    guard !isDone, try findRow() else {
      isDone = true
      return nil
    }
    while true {
      if let rowEnd = scanner.scan(window, from: position, to: filled) {
        var after = rowEnd
        if scanner.didStopEarly {
          after = JSONScanner.lineEnd(window, from: rowEnd, to: filled)
        } else if layout == .lines {
          while JSONScanner.isSpace(window[after], false) { after += 1 }
        }
        // A number or a line may continue after the window.
        if after < filled || isAtEnd {
          return try row(to: scanner.didStopEarly ? after : rowEnd, lineTo: after)
        }
      } else if !scanner.failure.isTruncated || isAtEnd {
        return try rejectLine(scanner.failure.reason, at: scanner.failure.offset)
      }
      try extend()
    }
  }

  var isAtEnd: Bool { base + filled == end }

  private mutating func row(to rowEnd: Int, lineTo after: Int) throws -> Row? {
    let start = position
    guard rowEnd - start <= rowLimit else { throw rowTooLong() }
    if layout == .lines, after < filled, window[after] != 0x0A, window[after] != 0x0D {
      return try rejectLine(.lineEnd, at: after)
    }
    position = rowEnd
    rows += 1
    return Row(
      offset: base + start,
      bytes: UnsafeRawBufferPointer(start: window + start, count: rowEnd - start), line: line,
      fault: nil, start: start)
  }
}

// MARK: - Between rows

extension JSONCursor {
  /// Moves to the next row; false at the end of the rows.
  private mutating func findRow() throws -> Bool {
    switch layout {
    case .lines: return try skipSpace()
    case .single:
      if rows == 0 {
        guard try skipSpace() else { throw failure(.value, at: position) }
        return true
      }
      if try skipSpace() { throw failure(.end, at: position) }
      return false
    case .elements:
      if rows == 0 { return try openArray() }
      return try findElement()
    case .sequence:
      let endsWithWord = rows > 0 && position > 0 && Self.isWord(window[position - 1])
      let start = base + position
      guard try skipSpace() else { return false }
      // Two numbers or words without space between them are one malformed value.
      if endsWithWord, base + position == start, Self.isWord(window[position]) {
        throw failure(.end, at: position)
      }
      return true
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"),
      UInt8(ascii: "\""):
      false
    default: !JSONScanner.isSpace(byte, true)
    }
  }

  private mutating func openArray() throws -> Bool {
    guard includesStart else { return try skipSpace() }
    guard try skipSpace(), window[position] == UInt8(ascii: "[") else {
      throw failure(.value, at: position)
    }
    guard limits.depth > depth else { throw failure(.depth, at: position) }
    position += 1
    guard try skipSpace() else { throw failure(.value, at: position) }
    return try window[position] == UInt8(ascii: "]") ? closeArray() : true
  }

  private mutating func findElement() throws -> Bool {
    let hasMore = try skipSpace()
    if !hasMore, !includesEnd { return false }
    if hasMore, includesEnd, window[position] == UInt8(ascii: "]") { return try closeArray() }
    guard hasMore, window[position] == UInt8(ascii: ",") else {
      throw failure(.commaOrBracket, at: position)
    }
    position += 1
    return try skipSpace() || includesEnd
  }

  private mutating func closeArray() throws -> Bool {
    rowsEnd = base + position
    position += 1
    if !isInner, try skipSpace() { throw failure(.end, at: position) }
    return false
  }

  /// Moves to the next byte that is not white space and counts lines; false at the end.
  private mutating func skipSpace() throws -> Bool {
    while true {
      while position < filled, JSONScanner.isSpace(window[position], true) {
        let byte = window[position]
        // A carriage return with a line feed after it ends one line, not two.
        if byte == 0x0D || byte == 0x0A && !endsWithReturn { line += 1 }
        if byte == 0x0D || byte == 0x0A { lineStart = base + position + 1 }
        endsWithReturn = byte == 0x0D
        position += 1
      }
      if position < filled {
        endsWithReturn = false
        return true
      }
      if isAtEnd { return false }
      try extend()
    }
  }

  /// Moves to the end of a malformed line.
  private mutating func skipLine() throws {
    skipsLine = false
    while true {
      while position < filled, window[position] != 0x0A, window[position] != 0x0D {
        position += 1
      }
      if position < filled || isAtEnd { return }
      try extend()
    }
  }

  /// Reads more bytes and keeps those from `position` on.
  private mutating func extend() throws {
    try cancellation.check()
    let kept = filled - position
    if kept > rowLimit { throw rowTooLong() }
    if kept == capacity {
      let grown = min(capacity * 2, max(rowLimit, capacity) + 1)
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: grown + JSONScanner.padding)
      larger.initialize(from: window + position, count: kept)
      window.deallocate()
      window = larger
      capacity = grown
    } else if position > 0 {
      window.update(from: window + position, count: kept)
    }
    base += position
    position = 0
    let missing = min(capacity - kept, end - base - kept)
    let read = try store.read(
      at: base + kept, into: UnsafeMutableRawBufferPointer(start: window + kept, count: missing))
    // Fewer bytes than requested mean that the text has been truncated.
    guard read == missing else {
      throw TableError.changed("the text was truncated while it was read")
    }
    filled = kept + read
    (window + filled).initialize(repeating: 0, count: JSONScanner.padding)
  }
}
