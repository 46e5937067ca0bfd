internal import CScan

/// Makes values of cells.
struct CellReader {
  let nulls: Set<[UInt8]>
  /// The length of the longest word that stands for null.
  let longestNull: Int

  /// - Parameter nulls: words that stand for null.
  init(nulls: [String]) {
    self.nulls = Set(nulls.map { Array($0.utf8) })
    longestNull = self.nulls.lazy.map(\.count).max() ?? -1
  }

  /// The value of a cell as a column's type has it; a cell that is not of the type is a string.
  func value(of field: ds_field, in bytes: UnsafePointer<UInt8>, as type: ColumnType) -> Value {
    // An empty cell is null, an empty string is written as two quotes.
    guard field.length != 0 else { return .null }
    return withCell(field, in: bytes) { value(of: $0, as: type) }
  }

  /// The value of the text of a cell that is not empty, or was quoted.
  func value(of cell: UnsafeRawBufferPointer, as type: ColumnType) -> Value {
    if isNull(cell) { return .null }
    switch type {
    case .integer, .real: if let number = Scalar.number(cell) { return number }
    case .bool: if let bool = Scalar.bool(cell) { return .bool(bool) }
    case .date: if let date = Scalar.date(cell) { return .date(date) }
    case .string, .value: break
    }
    return .string(String(decoding: cell, as: UTF8.self))
  }

  func isNull(_ cell: UnsafeRawBufferPointer) -> Bool {
    cell.count <= longestNull && nulls.contains(Array(cell))
  }

  /// The text of a cell, without quotes.
  func withCell<Result>(
    _ field: ds_field, in bytes: UnsafePointer<UInt8>,
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let cell = UnsafeRawBufferPointer(
      start: bytes + Int(field.start), count: Int(field.length & UInt32(DS_FIELD_LENGTH)))
    guard field.length & UInt32(DS_FIELD_ESCAPED) != 0 else { return try body(cell) }
    return try cell.withUnescapedQuotes(body)
  }
}
