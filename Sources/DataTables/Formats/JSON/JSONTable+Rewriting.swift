extension JSONTable: RewritableTable {
  package func rewritten(
    _ rows: [RewrittenRow], cancellation: Cancellation
  ) throws -> [RewrittenText] {
    layout == .lines
      ? try rewrittenLines(rows, cancellation) : try rewrittenElements(rows, cancellation)
  }

  /// A row as it is written.
  struct RowText {
    let range: Range<Int>
    let bytes: [UInt8]
    let object: Value

    /// The same row with the values of another object.
    func replacing(_ new: Value) -> [UInt8] {
      JSONEditing.replacing(bytes[...], of: object, with: new)
    }
  }

  func text(of row: Int) throws -> RowText {
    let range = try range(of: row)
    return RowText(range: range, bytes: try store.bytes(range), object: try object(at: row))
  }

  // MARK: Lines

  private func rewrittenLines(
    _ rows: [RewrittenRow], _ cancellation: Cancellation
  ) throws -> [RewrittenText] {
    let last = try store.bytes(max(0, store.count - 1)..<store.count).last
    var rewriting = LineRewriting(
      count: count, size: store.count, lineEnd: try lineEndBytes(),
      isOpen: last.map { $0 != 0x0A && $0 != 0x0D } ?? false
    ) { row in try self.lineRange(of: row) }
    var neighbor = 0
    for row in rows {
      try cancellation.check()
      switch row {
      case .kept(let range):
        try rewriting.keep(range)
        neighbor = max(0, range.upperBound - 1)
      case .replaced(let row, let object):
        let old = try text(of: row)
        let line = try lineRange(of: row)
        let indent = try store.bytes(line.lowerBound..<old.range.lowerBound)
        try rewriting.replace(
          row, content: old.range.upperBound - line.lowerBound, with: indent + old.replacing(object)
        )
        neighbor = row
      case .inserted(let object):
        try rewriting.insert(try inserted(object, near: neighbor))
      }
    }
    return try rewriting.finish()
  }

  /// An object in the style of a row.
  private func inserted(_ object: Value, near row: Int) throws -> [UInt8] {
    guard count > 0 else { return JSONEditing.written(object, isSpaced: false) }
    return try text(of: row).replacing(object)
  }

  /// The bytes of the line of a row, with its line end.
  private func lineRange(of row: Int) throws -> Range<Int> {
    let range = try range(of: row)
    var (start, end) = (range.lowerBound, range.upperBound)
    while start > 0, try byte(at: start - 1)?.isBlank == true { start -= 1 }
    while try byte(at: end)?.isBlank == true { end += 1 }
    if try byte(at: end) == 0x0D { end += 1 }
    if try byte(at: end) == 0x0A { end += 1 }
    return start..<end
  }

  private func byte(at offset: Int) throws -> UInt8? {
    guard offset < store.count else { return nil }
    return try store.bytes(offset..<offset + 1).first
  }

  private func lineEndBytes() throws -> [UInt8] {
    guard count > 0 else { return [0x0A] }
    let line = try lineRange(of: 0)
    let bytes = try store.bytes(max(line.lowerBound, line.upperBound - 2)..<line.upperBound)
    let lineEnd = Array(bytes.drop { $0 != 0x0D && $0 != 0x0A })
    return lineEnd.isEmpty ? [0x0A] : lineEnd
  }

  // MARK: Elements

  private func rewrittenElements(
    _ rows: [RewrittenRow], _ cancellation: Cancellation
  ) throws -> [RewrittenText] {
    guard count > 0, layout != .single || rows.isOneRow else {
      throw TableError.badArgument(
        "rows cannot be written back to \(count == 0 ? "an empty array" : "a single value")")
    }
    var rewriting = ElementRewriting(
      count: count, size: store.count, separator: try separator()
    ) { try self.range(of: $0) }
    var neighbor = 0
    for row in rows {
      try cancellation.check()
      switch row {
      case .kept(let range):
        try rewriting.keep(range)
        neighbor = max(0, range.upperBound - 1)
      case .replaced(let row, let object):
        try rewriting.write(try text(of: row).replacing(object), at: row)
        neighbor = row
      case .inserted(let object):
        try rewriting.write(try text(of: neighbor).replacing(object), at: nil)
      }
    }
    return try rewriting.finish()
  }

  /// The bytes between two rows.
  private func separator() throws -> [UInt8] {
    if count > 1 {
      return try store.bytes(range(of: 0).upperBound..<range(of: 1).lowerBound)
    }
    guard layout == .elements else { return [0x0A] }
    // The white space before the only element.
    let start = try range(of: 0).lowerBound
    let space = try store.bytes(max(0, start - 64)..<start)
    let blanks = space.reversed().prefix { JSONScanner.isSpace($0, true) }
    return [UInt8(ascii: ",")] + blanks.reversed()
  }
}

extension [RewrittenRow] {
  fileprivate var isOneRow: Bool {
    guard count == 1 else { return false }
    return switch self[0] {
    case .kept(let range): range == 0..<1
    case .replaced(let row, _): row == 0
    case .inserted: false
    }
  }
}

/// Rewrites values with separators between them.
private struct ElementRewriting {
  let count: Int
  let size: Int
  /// The separator of rows that were not next to each other.
  let separator: [UInt8]
  let range: (_ row: Int) throws -> Range<Int>

  private var parts = RewrittenParts()
  private var isFirst = true
  /// The row that was written last, if it is one of the text.
  private var last: Int?

  init(
    count: Int, size: Int, separator: [UInt8], range: @escaping (_ row: Int) throws -> Range<Int>
  ) {
    self.count = count
    self.size = size
    self.separator = separator
    self.range = range
  }

  mutating func keep(_ rows: Range<Int>) throws {
    guard !rows.isEmpty else { return }
    try separate(from: rows.lowerBound)
    parts.copy(
      try range(rows.lowerBound).lowerBound..<range(rows.upperBound - 1).upperBound)
    last = rows.upperBound - 1
  }

  /// - Parameter row: the row in whose place the value is; nil for a new one.
  mutating func write(_ bytes: [UInt8], at row: Int?) throws {
    try separate(from: row)
    parts.write(bytes)
    last = row
  }

  private mutating func separate(from row: Int?) throws {
    if isFirst {
      isFirst = false
      parts.copy(0..<(try range(0).lowerBound))
    } else if let last, let row, row == last + 1 {
      parts.copy(try range(last).upperBound..<range(row).lowerBound)
    } else {
      parts.write(separator)
    }
  }

  mutating func finish() throws -> [RewrittenText] {
    if isFirst { parts.copy(0..<(try range(0).lowerBound)) }
    parts.copy(try range(count - 1).upperBound..<size)
    return parts.parts
  }
}
