import DataTables

/// The column from which a key is derived, with its values as they are in the objects.
struct HeadColumn {
  let sql: SQL
  let column: DatabaseColumn

  /// The value of a key of an object with this value of the column.
  func value(of key: ObjectKeyPath, _ value: Value) -> Value {
    key.evaluate(on: .record(Record([(column.name, value.typed(as: column.kind))])))
  }
}

extension Value {
  /// A value of an expression, which has no declared type, as a value of its column.
  func typed(as kind: DatabaseColumn.Kind) -> Value {
    switch (kind, self) {
    case (.bool, .integer(0)): false
    case (.bool, .integer(1)): true
    case (.date, .string(let text)), (.dateTime, .string(let text)), (.instant, .string(let text)):
      Value(literal: text)
    default: self
    }
  }
}
