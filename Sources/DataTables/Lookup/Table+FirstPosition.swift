extension Table {
  /// The first position in `order`, at or after `start`, whose object has the values of a record
  /// for its keys; nil if no object matches. Null matches a missing key.
  ///
  /// - Complexity: O(rows) for decoded columns, with one array read per row and key. Objects are
  ///   created only to check rows that match in a column of dates or real numbers, because unequal
  ///   real numbers may share a key.
  /// - Throws: the errors of ``column(_:cancellation:)``, except for a key that no object has.
  public func firstPosition(
    in order: RowOrder, from start: Int = 0, matching values: Record,
    cancellation: Cancellation = Cancellation()
  ) throws -> Int? {
    var tests: [RowTest] = []
    for (key, value) in zip(values.keys, values.values) {
      let column: KeyColumn
      do {
        column = try self.column(ObjectKeyPath(key: key), cancellation: cancellation)
      } catch TableError.unknownKey {
        if value.isNull { continue }
        return nil
      }
      guard let test = RowTest(column, equals: value) else { return nil }
      tests.append(test)
    }
    let needsObjects = tests.contains(where: \.isApproximate)
    for position in start..<max(start, order.count) {
      if position & 0xFFF == 0 { try cancellation.check() }
      let row = order[position]
      guard tests.allSatisfy({ $0.passes(row) }) else { continue }
      if !needsObjects { return position }
      let object = try object(at: row)
      let isMatch = zip(values.keys, values.values).allSatisfy { key, value in
        ObjectKeyPath(key: key).evaluate(on: object) == value
      }
      if isMatch { return position }
    }
    return nil
  }
}

/// A test whether a row has a value, by its code or key.
private enum RowTest {
  case codes(RowCodes, matching: [Bool])
  case key(NumericKeys, UInt64, isExact: Bool)

  /// nil if no row can have the value.
  init?(_ column: KeyColumn, equals value: Value) {
    switch column {
    case .coded(let codes, let values):
      let matching = values.matching(value)
      guard matching.contains(true) else { return nil }
      self = .codes(codes, matching: matching)
    case .keyed(let column):
      guard let key = column.key(of: value) else { return nil }
      let isExact = column.kind == .integer || value.isNull
      self = .key(column.keys, key, isExact: isExact)
    }
  }

  /// Whether unequal values can share a key, so that the object must be checked.
  var isApproximate: Bool {
    if case .key(_, _, isExact: false) = self { true } else { false }
  }

  func passes(_ row: Int) -> Bool {
    switch self {
    case .codes(let codes, let matching): matching[codes[row]]
    case .key(let keys, let key, _): keys[row] == key
    }
  }
}
