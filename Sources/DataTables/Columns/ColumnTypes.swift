/// The types of values that are added one after another.
package struct ColumnTypes {
  private var types: Set<ColumnType> = []

  package init() {}

  package mutating func add(_ value: Value) {
    switch value {
    case .null: break
    case .bool: types.insert(.bool)
    case .integer: types.insert(.integer)
    case .real: types.insert(.real)
    case .string: types.insert(.string)
    case .date: types.insert(.date)
    case .data, .array, .record: types.insert(.value)
    }
  }

  /// The type of all values that are not null: `real` for a mixture of integers and reals, `value`
  /// for any other mixture, for nested values and for data, and `string` if all values are null.
  package var columnType: ColumnType {
    if types == [.integer, .real] { return .real }
    return types.count > 1 ? .value : types.first ?? .string
  }
}
