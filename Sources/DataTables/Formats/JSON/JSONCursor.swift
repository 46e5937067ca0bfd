/// How the values of a text stand to each other.
enum JSONLayout: Sendable {
  /// Elements of the array that is the whole text.
  case elements
  /// One value a line; blank lines are left out.
  case lines
  /// One value, which is the whole text.
  case single
}

/// Reads the rows of a JSON text one after another through a window that is used again and again.
struct JSONCursor: ~Copyable {
  /// A row in the window, which stays there until the next one is asked for.
  struct Row {
    /// Of the row in the text.
    let offset: Int
    let bytes: UnsafeRawBufferPointer
    /// From 1; counted only in lines.
    let line: Int
    /// What is wrong with the line; its bytes then go up to there.
    let fault: Fault?
    /// Where the row begins in the window.
    fileprivate(set) var start = 0

    /// The place in `bytes` of what the scanner found at `index`.
    func place(of index: Int) -> Int { index - start }
  }

  struct Fault {
    /// In bytes from 1, counted from where the row begins.
    let column: Int
    let reason: JSONFailure
    /// What is there; nil at the end of the text.
    let found: Unicode.Scalar?

    var message: String { reason.message(found: found) }
  }

  let scanner: JSONScanner
  let store: any ByteStore
  let layout: JSONLayout
  let rowLimit: Int
  let limits: ReadLimits
  private let cancellation: Cancellation
  /// Where the rows begin and end.
  let start: Int
  private let end: Int
  /// Whether the text begins, and ends, where the range does: there are the brackets around the
  /// elements.
  let opens: Bool
  let closes: Bool
  private let isInner: Bool
  private let depth: Int

  var window: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// The offset in the text of the first byte of the window.
  var base: Int
  var filled = 0
  var position = 0
  private(set) var line = 1
  /// The offset in the text of the line's first byte.
  var lineStart: Int
  /// Whether the rest of the line is left out.
  var skipsLine = false
  private var endsWithReturn = false
  private var rows = 0
  private var isDone = false
  /// Where the rows end; known when all have been read.
  private(set) var rowsEnd: Int

  /// - Parameters:
  ///   - range: the whole text, or a part of it that begins with a row and ends behind a row or
  ///     before the next.
  ///   - opens: whether the text begins with the range.
  ///   - closes: whether it ends with it.
  ///   - isInner: whether the array that the range begins with may end before the range does.
  ///   - depth: the arrays and records around the text.
  init(
    _ store: any ByteStore, layout: JSONLayout, range: Range<Int>, opens: Bool, closes: Bool,
    keys: JSONKeys, window: Int, limits: ReadLimits, cancellation: Cancellation,
    isInner: Bool = false, depth: Int = 0
  ) {
    self.store = store
    self.layout = layout
    self.opens = opens
    self.closes = closes
    self.isInner = isInner
    self.depth = depth
    self.limits = limits
    self.cancellation = cancellation
    // Dictionaries count the bytes of a value in 32 bits.
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

  /// The next row; nil when there are no more.
  ///
  /// - Throws: ``TableError`` for what makes all of the text unreadable: a broken document, a limit,
  ///   bytes that are not UTF-8.
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
        // A number may go on behind the window, and a line too.
        if after < filled || isAtEnd {
          return try row(to: scanner.didStopEarly ? after : rowEnd, lineTo: after)
        }
      } else if !scanner.failure.isCut || isAtEnd {
        return try broken(scanner.failure.reason, at: scanner.failure.offset)
      }
      try extend()
    }
  }

  var isAtEnd: Bool { base + filled == end }

  private mutating func row(to rowEnd: Int, lineTo after: Int) throws -> Row? {
    let start = position
    guard rowEnd - start <= rowLimit else { throw rowTooLong() }
    if layout == .lines, after < filled, window[after] != 0x0A, window[after] != 0x0D {
      return try broken(.lineEnd, at: after)
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
  /// Goes to the next row; false when there is none.
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
    }
  }

  private mutating func openArray() throws -> Bool {
    guard opens else { return try skipSpace() }
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
    if !hasMore, !closes { return false }
    if hasMore, closes, window[position] == UInt8(ascii: "]") { return try closeArray() }
    guard hasMore, window[position] == UInt8(ascii: ",") else {
      throw failure(.commaOrBracket, at: position)
    }
    position += 1
    return try skipSpace() || closes
  }

  private mutating func closeArray() throws -> Bool {
    rowsEnd = base + position
    position += 1
    if !isInner, try skipSpace() { throw failure(.end, at: position) }
    return false
  }

  /// Goes to the next byte that is not white space, counting lines; false at the end.
  private mutating func skipSpace() throws -> Bool {
    while true {
      while position < filled, JSONScanner.isSpace(window[position], true) {
        let byte = window[position]
        // A return and a line feed end one line.
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

  /// Goes to the end of a broken line.
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

  /// Reads on, keeping what stands from `position` on.
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
    let wanted = min(capacity - kept, end - base - kept)
    let read = try store.read(
      at: base + kept, into: UnsafeMutableRawBufferPointer(start: window + kept, count: wanted))
    // A store has as many bytes as it says; fewer means that they were cut off since.
    guard read == wanted else { throw TableError.changed("was cut off while it was read") }
    filled = kept + read
    (window + filled).initialize(repeating: 0, count: JSONScanner.padding)
  }
}
