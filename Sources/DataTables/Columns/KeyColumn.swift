/// A key path evaluated over all rows of a table.
public enum KeyColumn: Sendable {
  /// Each row has the code of one of `values`. `values` may contain equal values that are written
  /// differently (1.5 and 1.50). If every row has its own value (``RowCodes/natural(_:)``),
  /// `values` may contain any duplicates. Index 0 need not be null.
  case coded(RowCodes, values: DistinctValues)
  /// Mostly different numbers or dates, as order-preserving keys.
  case keyed(NumericColumn)

  /// The column of a table without rows.
  static let empty = KeyColumn.coded(.narrow([]), values: [])

  public var count: Int {
    switch self {
    case .coded(let codes, _): codes.count
    case .keyed(let column): column.keys.count
    }
  }
}

/// The type that the cells of a column are read as.
public enum ColumnType: String, Hashable, Sendable, CaseIterable {
  case integer, real, bool, date, string
  /// Nested or mixed values, which only JSON has.
  case value
}

/// The raw value. Without this, interpolation finds the name by reflection, which takes 40 µs for
/// each key of a load.
extension ColumnType: CustomStringConvertible {
  public var description: String { rawValue }
}

extension KeyColumn {
  /// The number of rows that are NaN, and the first one.
  /// - Complexity: O(rows) for a keyed column and for a column with NaN, else O(distinct values).
  var notANumber: (rows: Int, first: Int?) {
    var rows = 0
    var first: Int?
    func count(_ row: Int) {
      rows += 1
      if first == nil { first = row }
    }
    switch self {
    case .coded(let codes, let values):
      if values.areStrings { return (0, nil) }
      let found = values.map { if case .real(let real) = $0 { real.value.isNaN } else { false } }
      guard found.contains(true) else { return (0, nil) }
      for row in 0..<codes.count where found[codes[row]] { count(row) }
    case .keyed(let column):
      guard column.kind == .real else { return (0, nil) }
      let key = NumericColumn.key(Double.nan)
      for (row, other) in column.keys.enumerated() where other == key { count(row) }
    }
    return (rows, first)
  }

  /// The value of a row. A keyed real has its shortest text.
  package func value(at row: Int) -> Value {
    switch self {
    case .coded(let codes, let values): values[codes[row]]
    case .keyed(let column): column.value(of: column.keys[row])
    }
  }

  /// The type of all values that are not null: `real` for a mixture of integers and reals, `value`
  /// for any other mixture, for nested values and for data, and `string` if all values are null.
  package var type: ColumnType {
    switch self {
    case .keyed(let column): return column.kind.type
    case .coded(_, let values):
      if values.areStrings { return .string }
      var types = ColumnTypes()
      for value in values { types.add(value) }
      return types.columnType
    }
  }

  /// The types of the values in some rows, without null, in the order in which they sort.
  ///
  /// - Complexity: O(distinct values) if they all have one type, O(rows) otherwise.
  package func types(in order: RowOrder) -> [ValueType] {
    guard case .coded(let codes, let values) = self else {
      if case .keyed(let column) = self, column.kind == .date { return [.date] }
      return [.number]
    }
    if values.areStrings { return [.string] }
    let all = values.map(\.type)
    let known = Set(all).subtracting([.null]).sorted()
    guard known.count > 1 else { return known }
    // The distinct values may include some that no row has.
    var isPresent = [Bool](repeating: false, count: ValueType.allCases.count)
    order.forEachRow(at: 0..<order.count) { _, row in
      isPresent[all[codes[Int(row)]].rawValue] = true
    }
    return known.filter { isPresent[$0.rawValue] }
  }

  /// The column of a longer path. This column belongs to the first key of that path.
  ///
  /// - Parameter steps: the rest of the path; if empty, the result is this column.
  /// - Throws: ``TableError/unknownKey(_:known:)`` with the first step that no value has.
  /// - Complexity: O(rows). A coded column evaluates each distinct value once, a keyed column each
  ///   row.
  func deriving(
    _ steps: ArraySlice<ObjectKeyPath.Step>, cancellation: Cancellation
  ) throws -> KeyColumn {
    guard !steps.isEmpty else { return self }
    switch self {
    case .coded(let codes, let values):
      try ObjectKeyPath.checkKnown(steps, to: values)
      if case .texts(let texts) = values.storage {
        let derived = try texts.deriving(steps, cancellation: cancellation)
        guard case .coded(let mapping, let results) = derived else { return derived }
        return .coded(codes.composed(with: mapping, distinct: results.count), values: results)
      }
      var coder = ValueCoder()
      var mapped: [UInt32] = []
      mapped.reserveCapacity(values.count)
      for (index, value) in values.enumerated() {
        if index & 0xFFF == 0 { try cancellation.check() }
        mapped.append(coder.code(of: ObjectKeyPath.evaluate(steps, on: value)))
      }
      return .coded(
        codes.mapped(by: mapped, distinct: coder.values.count), values: DistinctValues(coder.values)
      )
    case .keyed(let column):
      if let key = column.keys.first(where: { $0 != NumericColumn.null }) {
        try ObjectKeyPath.checkKnown(steps, to: CollectionOfOne(column.value(of: key)))
      }
      var coder = ValueCoder()
      coder.reserve(column.keys.count)
      for (row, key) in column.keys.enumerated() {
        if row & 0xFFF == 0 { try cancellation.check() }
        coder.append(ObjectKeyPath.evaluate(steps, on: column.value(of: key)))
      }
      return coder.column()
    }
  }
}
