/// Sections of adjacent rows with equal values of a key, put together from old sections and changed
/// rows.
struct UpdatedRuns {
  private let values: EditedValues
  private var offsets = [0]
  private var titles: [Value] = []
  /// A row of the last section.
  private var lastRow: Int?
  /// Whether the last rows are a whole old section.
  private var isLastOld = false

  init(_ values: EditedValues) { self.values = values }

  /// Appends an old section that did not change.
  /// - Parameter positions: not empty.
  mutating func append(_ positions: Range<Int>, titled title: Value, in order: RowOrder) throws {
    let row = order[positions.lowerBound]
    // Two old sections next to each other have different values.
    if try isLastOld || !isEqualToLast(row) { start(title) }
    end(at: row, count: positions.count)
    isLastOld = true
  }

  /// Appends the remaining rows of an old section, with the rows that were inserted into it. Each part has
  /// equal values.
  mutating func append(_ parts: [RowPlan.Part], in order: RowOrder) throws {
    isLastOld = false
    for part in parts {
      let row = part.firstRow(in: order)
      if try !isEqualToLast(row) { start(try values.written(at: row)) }
      end(at: row, count: part.count)
    }
  }

  private func isEqualToLast(_ row: Int) throws -> Bool {
    guard let lastRow else { return false }
    return try values.value(at: lastRow) == values.value(at: row)
  }

  private mutating func start(_ title: Value) {
    titles.append(title)
    offsets.append(offsets[offsets.count - 1])
  }

  private mutating func end(at row: Int, count: Int) {
    offsets[offsets.count - 1] += count
    lastRow = row
  }

  /// - Parameter canRepeat: whether several sections may have the same title.
  func sections(canRepeat: Bool) -> Sections {
    Sections(
      offsets: offsets, titles: titles, repeated: canRepeat ? RepeatedTitle.all(titles) : [])
  }
}
