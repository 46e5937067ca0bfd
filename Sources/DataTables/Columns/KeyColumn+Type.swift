extension KeyColumn {
  /// The type of all values that are not null; `value` where they differ or nest, string where
  /// there are none.
  var type: ColumnType {
    switch self {
    case .keyed(let column):
      switch column.kind {
      case .integer: return .integer
      case .real: return .real
      case .date: return .date
      }
    case .coded(_, let values):
      if values.areStrings { return .string }
      var types: Set<ColumnType> = []
      for value in values {
        switch value {
        case .null: continue
        case .bool: types.insert(.bool)
        case .integer: types.insert(.integer)
        case .real: types.insert(.real)
        case .string: types.insert(.string)
        case .date: types.insert(.date)
        case .data, .array, .record: return .value
        }
      }
      if types == [.integer, .real] { return .real }
      return types.count > 1 ? .value : types.first ?? .string
    }
  }
}
