/// Equality of values as numbers: the rows of several columns have the same number where their
/// values are equal.
struct ColumnClasses {
  /// One number a row for each column.
  let numbers: [[UInt32]]
  /// All numbers are below this.
  let bound: Int

  /// - Complexity: O(rows + distinct values) expected; no value is made of numbers and dates that
  ///   all columns keep as keys.
  init(_ columns: [KeyColumn]) throws {
    if let keys = Self.keys(of: columns) {
      self.init(keys: keys)
      return
    }
    if columns.count == 1, case .coded(let codes, let values) = columns[0] {
      let groups = try EqualityGroups(values).ids
      self.init(
        numbers: [
          (0..<codes.count).map { groups?[codes[$0]] ?? UInt32(truncatingIfNeeded: codes[$0]) }
        ], bound: values.count)
      return
    }
    let distinct = columns.map { DistinctColumn($0) }
    let classes = ValueClasses(distinct.map(\.values))
    self.init(
      numbers: zip(distinct, classes.numbers).map { column, classes in
        column.codes.map { classes[Int($0)] }
      }, bound: classes.count)
  }

  private init(numbers: [[UInt32]], bound: Int) {
    self.numbers = numbers
    self.bound = max(1, bound)
  }

  /// nil unless all columns keep numbers of one kind, or dates.
  private static func keys(of columns: [KeyColumn]) -> [NumericKeys]? {
    var kind: NumericColumn.Kind?
    var keys: [NumericKeys] = []
    for column in columns {
      guard case .keyed(let column) = column, kind == nil || kind == column.kind else { return nil }
      kind = column.kind
      keys.append(column.keys)
    }
    return keys
  }

  private init(keys: [NumericKeys]) {
    let rows = keys.reduce(0) { $0 + $1.count }
    let least = keys.compactMap { $0.min() }.min() ?? 0
    let greatest = keys.compactMap { $0.max() }.max() ?? 0
    // Numbers that lie close together, as those of records mostly do, need no hashing.
    if greatest - least < UInt64(rows) * 4 {
      self.init(
        numbers: keys.map { $0.map { UInt32(truncatingIfNeeded: $0 - least) } },
        bound: Int(greatest - least) + 1)
      return
    }
    var known = KeyNumbers(capacity: rows / 2)
    let numbers = keys.map { keys in keys.map { known.number(of: $0) } }
    self.init(numbers: numbers, bound: Int(known.count))
  }
}

/// A column as distinct values and their codes.
private struct DistinctColumn {
  var codes: [UInt32] = []
  let values: DistinctValues

  init(_ column: KeyColumn) {
    switch column {
    case .coded(let codes, let values):
      self.codes = (0..<codes.count).map { UInt32(truncatingIfNeeded: codes[$0]) }
      self.values = values
    case .keyed(let column):
      var known = KeyNumbers(capacity: min(column.keys.count, 1 << 16))
      codes.reserveCapacity(column.keys.count)
      var values: [Value] = []
      for key in column.keys {
        let code = known.number(of: key)
        if code == values.count { values.append(column.value(of: key)) }
        codes.append(code)
      }
      self.values = DistinctValues(values)
    }
  }
}
