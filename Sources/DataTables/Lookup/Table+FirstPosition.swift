extension Table {
  /// The first position in `order`, at or after `start`, whose object has the values of a record
  /// for its keys; nil if no object matches. Null matches a missing key.
  ///
  /// - Complexity: O(rows) for decoded columns, with one array read per row and key, on all
  ///   processors after the first positions. Objects are created only to check rows that match in a
  ///   column of dates or real numbers, because unequal real numbers may share a key.
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
    func matches(_ row: Int) throws -> Bool {
      if !needsObjects { return true }
      let object = try object(at: row)
      return zip(values.keys, values.values).allSatisfy { key, value in
        ObjectKeyPath(key: key).evaluate(on: object) == value
      }
    }
    let near =
      start..<max(start, min(order.count, start + Self.nearPositions(in: order, of: count)))
    for position in near {
      if position & 0xFFF == 0 { try cancellation.check() }
      let row = order[position]
      if tests.allSatisfy({ $0.passes(row) }), try matches(row) { return position }
    }
    guard near.upperBound < order.count else { return nil }
    let mask = try RowMask.rows(of: count, passing: tests, cancellation: cancellation)
    return try order.positions(of: mask).first { position in
      try position >= near.upperBound && matches(order[position])
    }
  }

  /// The number of positions that are looked at in their order. From then on, all rows of the table
  /// are tested in the order of memory, on all processors: the rows of a sorted order may be anywhere.
  private static func nearPositions(in order: RowOrder, of rows: Int) -> Int {
    switch order {
    case .natural: 1 << 18
    case .rows, .deferred: order.count * 8 < rows ? order.count : 1 << 12
    }
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

  /// The bits of up to 64 rows that pass, the first row in the lowest bit.
  func bits(_ rows: Range<Int>) -> UInt64 {
    var bits: UInt64 = 0
    switch self {
    case .codes(let codes, let matching):
      for row in rows where matching[codes[row]] { bits |= 1 << UInt64(row - rows.lowerBound) }
    case .key(let keys, let key, _):
      keys.withUnsafeBufferPointer { keys in
        for (bit, other) in keys[rows].enumerated() where other == key { bits |= 1 << UInt64(bit) }
      }
    }
    return bits
  }
}

extension RowMask {
  /// - Complexity: O(rows · tests), on all processors.
  fileprivate static func rows(
    of count: Int, passing tests: [RowTest], cancellation: Cancellation
  ) throws -> RowMask {
    try filled(count, cancellation: cancellation) { rows in
      var bits: UInt64 = .max >> UInt64(64 - rows.count)
      for test in tests where bits != 0 { bits &= test.bits(rows) }
      return bits
    }
  }
}
