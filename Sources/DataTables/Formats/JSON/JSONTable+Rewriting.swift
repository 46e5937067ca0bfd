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
    let blocks = BlockReader(store)
    var rewriting = LineRewriting(
      count: count, size: store.count, lineEnd: try lineEndBytes(blocks),
      isOpen: last.map { $0 != 0x0A && $0 != 0x0D } ?? false
    ) { row in try self.lineRange(of: row, blocks) }
    var neighbor = 0
    for row in rows {
      try cancellation.check()
      switch row {
      case .kept(let range):
        try rewriting.keep(range)
        neighbor = max(0, range.upperBound - 1)
      case .replaced(let row, let object):
        let old = try text(of: row)
        let line = try lineRange(of: row, blocks)
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
  private func lineRange(of row: Int, _ blocks: BlockReader) throws -> Range<Int> {
    let range = try range(of: row)
    var (start, end) = (range.lowerBound, range.upperBound)
    while start > 0, try blocks.byte(at: start - 1)?.isBlank == true { start -= 1 }
    while try blocks.byte(at: end)?.isBlank == true { end += 1 }
    if try blocks.byte(at: end) == 0x0D { end += 1 }
    if try blocks.byte(at: end) == 0x0A { end += 1 }
    return start..<end
  }

  private func lineEndBytes(_ blocks: BlockReader) throws -> [UInt8] {
    guard count > 0 else { return [0x0A] }
    let line = try lineRange(of: 0, blocks)
    let bytes = try store.bytes(max(line.lowerBound, line.upperBound - 2)..<line.upperBound)
    let lineEnd = Array(bytes.drop { $0 != 0x0D && $0 != 0x0A })
    return lineEnd.isEmpty ? [0x0A] : lineEnd
  }

  // MARK: Elements

  private func rewrittenElements(
    _ rows: [RewrittenRow], _ cancellation: Cancellation
  ) throws -> [RewrittenText] {
    guard layout != .single || rows.isOneRow else {
      throw TableError.badArgument(
        "the file has a single value, not an array, so that rows cannot be added or removed; "
          + "name a file to write all rows")
    }
    guard count > 0 else { return try filledArray(rows) }
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

  /// The text with rows in its empty array, each on a line if the brackets are on different lines.
  private func filledArray(_ rows: [RewrittenRow]) throws -> [RewrittenText] {
    let text = try store.bytes(range)
    guard layout == .elements, let bracket = text.firstIndex(of: UInt8(ascii: "[")) else {
      throw TableError.badArgument("rows cannot be written back to a text without an array")
    }
    let space = text[(bracket + 1)...]
    let closing = Self.lastLine(of: space)
    // On one line, the white space stands on both sides of the rows.
    let start = closing == nil ? range.upperBound : range.lowerBound + bracket + 1
    let end = range.lowerBound + (closing?.startIndex ?? bracket + 1)
    let separator = closing.map { $0 + [0x20, 0x20] } ?? [0x20]
    var parts = RewrittenParts()
    parts.copy(0..<(rows.isEmpty ? end : start))
    var isFirst = true
    for case .inserted(let object) in rows {
      if !isFirst { parts.write([UInt8(ascii: ",")]) }
      if !isFirst || closing != nil { parts.write(Array(separator)) }
      parts.write(JSONEditing.written(object, isSpaced: true))
      isFirst = false
    }
    parts.copy(end..<store.count)
    return parts.parts
  }

  /// The last line of white space with the line end before it; nil for one line.
  private static func lastLine(of space: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let end = space.lastIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return nil }
    let isPair = space[end] == 0x0A && end > space.startIndex && space[end - 1] == 0x0D
    return space[(isPair ? end - 1 : end)...]
  }

  /// The bytes between two rows.
  private func separator() throws -> [UInt8] {
    if count > 1 {
      let bytes = try store.bytes(range(of: 0).upperBound..<range(of: 1).lowerBound)
      // Two numbers without a space between them would be one.
      return bytes.isEmpty ? [0x0A] : bytes
    }
    guard layout == .elements else { return [0x0A] }
    // The white space before the only element.
    let start = try range(of: 0).lowerBound
    let space = try store.bytes(max(0, start - 64)..<start)
    let blanks = space.reversed().prefix { JSONScanner.isSpace($0, true) }
    return [UInt8(ascii: ",")] + blanks.reversed()
  }
}

/// Reads single bytes of a store in blocks. The last block is kept, so that bytes near each other,
/// such as the line ends of adjacent rows, share a read.
private final class BlockReader {
  private let store: any ByteStore
  private var start = 0
  private var block: [UInt8] = []

  private static let size = 4_096

  init(_ store: any ByteStore) { self.store = store }

  /// - Returns: nil for an offset at the end of the store, or beyond.
  func byte(at offset: Int) throws -> UInt8? {
    guard offset < store.count else { return nil }
    if !(start..<start + block.count).contains(offset) {
      let next = offset / Self.size * Self.size
      block = try store.bytes(next..<min(next + Self.size, store.count))
      start = next
    }
    let place = offset - start
    return block.indices.contains(place) ? block[place] : nil
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
