import DataTables

/// The cells of a row up to the last one with a value.
///
/// A row with a few values far apart keeps only these: a sheet may have a single value in the last
/// column of every row.
struct SheetRow {
  /// Null for cells without a value, unless the columns are in ``columns``.
  private var values: [Value] = []
  /// The columns of the values, ascending; empty if each value is at the position of its column.
  private var columns: [Int32] = []

  /// Longer gaps are not filled with null.
  private static let maxGap = 16

  /// The number of columns up to the last value.
  var count: Int { columns.last.map { Int($0) + 1 } ?? values.count }

  /// The number of values that are held, with those that are null.
  var size: Int { values.count }

  /// - Parameter column: larger than the columns before.
  mutating func append(_ value: Value, at column: Int) {
    if columns.isEmpty {
      if column - values.count <= Self.maxGap {
        while values.count < column { values.append(.null) }
        values.append(value)
        return
      }
      columns = values.indices.filter { !values[$0].isNull }.map { Int32($0) }
      values.removeAll(where: \.isNull)
    }
    columns.append(Int32(column))
    values.append(value)
  }

  mutating func reserveCapacity(_ count: Int) { values.reserveCapacity(count) }

  /// The value of a column; null without one.
  /// - Complexity: O(1), or O(log values) in a row with gaps.
  subscript(column: Int) -> Value {
    if columns.isEmpty { return column < values.count ? values[column] : .null }
    var low = 0
    var high = columns.count
    while low < high {
      let middle = (low + high) / 2
      if Int(columns[middle]) < column { low = middle + 1 } else { high = middle }
    }
    return low < columns.count && Int(columns[low]) == column ? values[low] : .null
  }

  /// The values of all columns up to the last one; nil if long gaps are between them.
  var dense: [Value]? { columns.isEmpty ? values : nil }

  /// Calls `body` with each column that has a value.
  func forEachColumn(_ body: (Int) -> Void) {
    if columns.isEmpty {
      for column in values.indices where !values[column].isNull { body(column) }
    } else {
      for column in columns { body(Int(column)) }
    }
  }

  /// The values that are not null.
  var filled: some Sequence<Value> { values.lazy.filter { !$0.isNull } }
}
