/// A column that is built from values: in the forms of ``ColumnBuilder`` while all of them are integers,
/// reals in their shortest form or strings, and as distinct values otherwise.
///
/// Not thread-safe.
package final class ValueColumnBuilder {
  private let batch = CellBatch(columns: 1)
  private let builder = ColumnBuilder(.plain)
  /// All values, after one of them was not a cell.
  private var coder: ValueCoder?
  /// The number of values.
  package private(set) var count = 0

  package init() {}

  package func append(_ value: Value) {
    count += 1
    if coder != nil {
      coder?.append(value)
      return
    }
    guard appendCell(value) else {
      coder = useValues()
      coder?.append(value)
      return
    }
    batch.endRow()
    if batch.isFull { flush() }
  }

  private func flush() {
    builder.append(batch, column: 0)
    batch.removeAll()
  }

  /// - Returns: false if a cell would be read as another value.
  private func appendCell(_ value: Value) -> Bool {
    switch value {
    case .null: batch.setNull(0)
    case .integer(let integer): batch.set(0, integer: Int64(integer))
    case .real(let real):
      guard Real(real.value).text == real.text else { return false }
      batch.set(0, real: real.value)
    case .string(var string):
      guard string.utf8.count < 1 << 30 else { return false }
      string.withUTF8 { batch.set(0, text: UnsafeRawBufferPointer($0)) }
    case .bool, .date, .data, .array, .record: return false
    }
    return true
  }

  /// The values so far.
  private func useValues() -> ValueCoder {
    flush()
    var coder = ValueCoder()
    // Without memory for the column, ``column()`` fails in the same way.
    guard let column = try? ColumnBuilder.column(joining: [builder]) else { return coder }
    for row in 0..<builder.count { coder.append(column.value(at: row)) }
    return coder
  }

  /// - Throws: ``TableError/io(_:)`` if memory ran out.
  package func column() throws(TableError) -> KeyColumn {
    flush()
    let column = try ColumnBuilder.column(joining: [builder])
    return coder?.column() ?? column
  }
}
