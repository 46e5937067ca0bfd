/// Rewrites values with separators between them.
struct ElementRewriting {
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
