/// The values of a key path in edited rows, read one at a time: the column of the base is shared, not
/// extended.
final class EditedValues: Sendable {
  private let rows: EditedRows
  private let path: ObjectKeyPath
  private let column: KeyColumn
  /// The number of rows of the base.
  private let count: Int

  /// - Throws: ``TableError/unknownKey(_:known:)`` if no object of the base has the key.
  init(_ path: ObjectKeyPath, of rows: EditedRows, cancellation: Cancellation) throws {
    self.rows = rows
    self.path = path
    column = try rows.base.column(path, cancellation: cancellation)
    count = rows.base.count
  }

  /// The value that sorts and sections compare.
  func value(at row: Int) throws -> Value {
    if row < count { return column.value(at: row) }
    let value = path.evaluate(on: try rows.object(at: row))
    // A number has the precision of the column.
    if case .keyed(let column) = column, let key = column.key(storing: value) {
      return column.value(of: key)
    }
    return value
  }

  /// The value as it is written in the object.
  func written(at row: Int) throws -> Value {
    if row < count, case .coded = column { return column.value(at: row) }
    return path.evaluate(on: try rows.object(at: row))
  }

  /// The key of a value; nil unless the column of the base has keys.
  func number(of value: Value) -> UInt64? {
    if case .keyed(let column) = column { column.key(storing: value) } else { nil }
  }

  /// The key of a row of the base; nil for other rows and for null.
  func number(at row: Int) -> UInt64? {
    guard row < count, case .keyed(let column) = column else { return nil }
    let key = column.keys[row]
    return key == NumericColumn.null ? nil : key
  }

  /// The bytes of a row of the base, which live as long as these values, if they order as the text
  /// does; nil for other rows and for null.
  func canonicalText(at row: Int) -> UnsafeRawBufferPointer? {
    guard row < count, case .coded(let codes, let values) = column,
      case .texts(let texts) = values.storage
    else { return nil }
    let (block, index) = texts.place(of: codes[row])
    if block.isNull(index) { return nil }
    let text = block.text(index)
    return block.isASCII || text.isSurelyCanonical ? text : nil
  }
}
