/// Equality of values as numbers: the rows of several columns have the same number where their
/// values are equal.
enum ColumnClasses {
  /// One number a row for each column.
  /// - Complexity: O(rows + distinct values) expected; no value is made of numbers and dates that
  ///   both columns keep as keys.
  static func numbers(of columns: [KeyColumn]) -> [[UInt32]] {
    if let keys = keys(of: columns) { return numbers(of: keys) }
    if columns.count == 1, case .coded(let codes, let values) = columns[0] {
      let groups = EqualityGroups(values).ids
      return [(0..<codes.count).map { groups?[codes[$0]] ?? UInt32(truncatingIfNeeded: codes[$0]) }]
    }
    var known = ValueNumbers()
    return columns.map { column in
      switch column {
      case .coded(let codes, let values):
        let classes = values.map { known.number(of: $0) }
        return (0..<codes.count).map { classes[codes[$0]] }
      case .keyed(let column):
        var distinct = KeyNumbers(capacity: min(column.keys.count, 1 << 16))
        var classes: [UInt32] = []
        return column.keys.map { key in
          let number = Int(distinct.number(of: key))
          if number == classes.count { classes.append(known.number(of: column.value(of: key))) }
          return classes[number]
        }
      }
    }
  }

  /// Numbers that are the same where both of the old ones are.
  static func combined(_ left: [[UInt32]], _ right: [[UInt32]]) -> [[UInt32]] {
    var known = KeyNumbers(capacity: left.map(\.count).max() ?? 0)
    return zip(left, right).map { left, right in
      zip(left, right).map { known.number(of: UInt64($0) << 32 | UInt64($1)) }
    }
  }

  /// nil unless all columns keep numbers of one kind, or dates.
  private static func keys(of columns: [KeyColumn]) -> [[UInt64]]? {
    var kind: NumericColumn.Kind?
    var keys: [[UInt64]] = []
    for column in columns {
      guard case .keyed(let column) = column, kind == nil || kind == column.kind else { return nil }
      kind = column.kind
      keys.append(column.keys)
    }
    return keys
  }

  private static func numbers(of keys: [[UInt64]]) -> [[UInt32]] {
    var known = KeyNumbers(capacity: keys.map(\.count).max() ?? 0)
    return keys.map { keys in keys.map { known.number(of: $0) } }
  }
}
