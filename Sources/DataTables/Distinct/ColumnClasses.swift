/// Classes of equal values: rows of one or several columns have the same class number if and only
/// if their values are equal.
struct ColumnClasses {
  /// For each column, the class number of each row.
  let numbers: [[UInt32]]
  /// Greater than every class number; at least 1.
  let bound: Int

  /// - Complexity: O(rows + distinct values) expected. If all columns store numbers or dates as
  ///   keys, no values are created.
  init(_ columns: [KeyColumn], cancellation: Cancellation) throws {
    if let keys = Self.keys(of: columns) {
      try self.init(keys: keys, cancellation)
      return
    }
    if columns.count == 1, case .coded(let codes, let values) = columns[0] {
      let firstCodes = try EqualityGroups(values).firstCodes
      self.init(numbers: [codes.wide(firstCodes)], bound: values.count)
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

  /// Keys that are hashed between two checks for a cancellation.
  private static let batch = 1 << 16

  /// The keys of all columns; nil unless all columns are keyed and have the same kind.
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

  private init(keys: [NumericKeys], _ cancellation: Cancellation) throws {
    let rows = keys.reduce(0) { $0 + $1.count }
    let least = keys.compactMap { $0.min() }.min() ?? 0
    let greatest = keys.compactMap { $0.max() }.max() ?? 0
    // Keys in a small range, such as record numbers, need no hashing.
    if greatest - least < UInt64(rows) * 4 {
      self.init(
        numbers: keys.map { $0.map { UInt32(truncatingIfNeeded: $0 - least) } },
        bound: Int(greatest - least) + 1)
      return
    }
    var known = KeyNumbers(capacity: rows / 2)
    var numbers: [[UInt32]] = []
    for keys in keys {
      var classes: [UInt32] = []
      classes.reserveCapacity(keys.count)
      for start in stride(from: 0, to: keys.count, by: Self.batch) {
        try cancellation.check()
        let rows = start..<min(start + Self.batch, keys.count)
        for row in rows { classes.append(known.number(of: keys[row])) }
      }
      numbers.append(classes)
    }
    self.init(numbers: numbers, bound: Int(known.count))
  }
}

/// The distinct values of a column and the code of each row.
private struct DistinctColumn {
  var codes: [UInt32] = []
  let values: DistinctValues

  init(_ column: KeyColumn) {
    switch column {
    case .coded(let codes, let values):
      self.codes = codes.wide(nil)
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

/// Class numbers for the values of several lists, equal for equal values.
private struct ValueClasses {
  /// For each list, the class number of each value.
  let numbers: [[UInt32]]
  let count: Int

  /// - Complexity: O(values) expected.
  init(_ lists: [DistinctValues]) {
    if let numbers = Self.textNumbers(lists) {
      self = numbers
      return
    }
    var known = ValueNumbers(capacity: lists.map(\.count).max() ?? 0)
    numbers = lists.map { values in values.map { known.number(of: $0) } }
    count = known.count
  }

  private init(numbers: [[UInt32]], count: Int) {
    self.numbers = numbers
    self.count = count
  }

  /// Numbers the values by their bytes, which is many times faster than hashing the values; nil
  /// unless all values are nulls or strings that equal only strings with the same bytes.
  private static func textNumbers(_ lists: [DistinctValues]) -> ValueClasses? {
    let known = ByteDictionary()
    var numbers: [[UInt32]] = []
    for values in lists {
      guard let list = textNumbers(of: values, in: known) else { return nil }
      numbers.append(list)
    }
    return ValueClasses(numbers: numbers, count: known.count + 1)
  }

  private static func textNumbers(
    of values: DistinctValues, in known: ByteDictionary
  ) -> [UInt32]? {
    var numbers: [UInt32] = []
    numbers.reserveCapacity(values.count)
    guard case .texts(let texts) = values.storage else {
      for value in values {
        guard let number = number(of: value, in: known) else { return nil }
        numbers.append(number)
      }
      return numbers
    }
    for text in 0..<texts.count {
      guard !texts.isNull(text) else {
        numbers.append(0)
        continue
      }
      guard let number = number(of: texts.text(text), in: known) else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  private static func number(of value: Value, in known: ByteDictionary) -> UInt32? {
    switch value {
    case .null: 0
    case .string(var text):
      text.withUTF8 { number(of: UnsafeRawBufferPointer($0), in: known) }
    default: nil
    }
  }

  /// A number from 1 up; nil for a string that can equal a string with other bytes.
  private static func number(
    of bytes: UnsafeRawBufferPointer, in known: ByteDictionary
  ) -> UInt32? {
    // Below U+0300 no two strings are canonically equivalent.
    if bytes.contains(where: { $0 >= 0xCC }) { return nil }
    return known.code(for: bytes) + 1
  }
}
