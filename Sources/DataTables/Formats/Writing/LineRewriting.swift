/// Rewrites a text whose rows are lines, or several lines each. Lines between rows, such as comments,
/// stay where they are; a removed row vanishes with its line end.
struct LineRewriting {
  /// The number of rows and of bytes of the text.
  let count: Int
  let size: Int
  let lineEnd: [UInt8]
  /// Whether the text ends with the last row, without a line end.
  let isOpen: Bool
  /// The bytes of a row with its line end.
  let range: (_ row: Int) throws -> Range<Int>

  private var parts = RewrittenParts()
  /// The rows before this one are passed: copied, replaced or left out.
  private var next = 0
  /// The bytes before this position are passed.
  private var position = 0
  /// Whether the last byte so far belongs to a row without a line end.
  private var isInLine = false

  init(
    count: Int, size: Int, lineEnd: [UInt8], isOpen: Bool,
    range: @escaping (_ row: Int) throws -> Range<Int>
  ) {
    self.count = count
    self.size = size
    self.lineEnd = lineEnd
    self.isOpen = isOpen
    self.range = range
  }

  mutating func keep(_ rows: Range<Int>) throws {
    let earlier = rows.clamped(to: 0..<next)
    for row in earlier { copy(try range(row)) }
    let later = rows.clamped(to: next..<count)
    guard !later.isEmpty else { return }
    try pass(to: later.lowerBound)
    let end = try range(later.upperBound - 1).upperBound
    copy(position..<end)
    (next, position) = (later.upperBound, end)
  }

  /// - Parameters:
  ///   - content: the number of bytes of the row without its line end.
  ///   - bytes: a row without a line end.
  mutating func replace(_ row: Int, content: Int, with bytes: [UInt8]) throws {
    let old = try range(row)
    if row >= next {
      try pass(to: row)
      copy(position..<old.lowerBound)
      (next, position) = (row + 1, old.upperBound)
    }
    endLine()
    parts.write(bytes)
    let end = old.lowerBound + content..<old.upperBound
    isInLine = end.isEmpty
    parts.copy(end)
  }

  /// - Parameter bytes: a row without a line end.
  mutating func insert(_ bytes: [UInt8]) throws {
    if next == 0, position == 0 {
      // The header and the lines before the first row.
      position = count > 0 ? try range(0).lowerBound : size
      copy(0..<position)
    }
    endLine()
    parts.write(bytes + lineEnd)
  }

  /// The parts of the text after the last row.
  mutating func finish() throws -> [RewrittenText] {
    try pass(to: count)
    copy(position..<size)
    // The style of the text.
    if isOpen { parts.removeSuffix(lineEnd) }
    return parts.parts
  }

  /// Leaves out the rows before a row, with what is between them.
  private mutating func pass(to row: Int) throws {
    while next < row {
      let old = try range(next)
      copy(position..<old.lowerBound)
      (next, position) = (next + 1, old.upperBound)
    }
  }

  private mutating func copy(_ bytes: Range<Int>) {
    guard !bytes.isEmpty else { return }
    endLine()
    parts.copy(bytes)
    isInLine = isOpen && bytes.upperBound == size
  }

  private mutating func endLine() {
    if isInLine { parts.write(lineEnd) }
    isInLine = false
  }
}
