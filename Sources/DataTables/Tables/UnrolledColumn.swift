/// Makes a column of an unrolled table from the columns of its base.
struct UnrolledColumn {
  private let table: UnrolledTable
  private let path: ObjectKeyPath

  init(_ table: UnrolledTable, _ path: ObjectKeyPath) {
    self.table = table
    self.path = path
  }

  /// - Throws: ``TableError/unknownKey(_:known:)`` if there are rows and none has the key.
  /// - Complexity: O(rows). Objects are created only if some parents are not records, or for a path
  ///   to the record that had the array.
  func column(cancellation: Cancellation) throws -> KeyColumn {
    guard table.count > 0 else { return .empty }
    guard let key = path.steps.first?.recordKey, !table.hasOtherParents else {
      return try table.columnOfObjects(path, cancellation: cancellation)
    }
    switch table.elementKeys.owner(of: key) {
    case .parent where leadsToArray:
      return try table.columnOfObjects(path, cancellation: cancellation)
    case .parent:
      return try repeated(table.base.column(path, cancellation: cancellation), cancellation)
    case .element(let key):
      let steps = [.key(key)] + path.steps.dropFirst()
      return try columnOfElements(steps[...], areRecords: true, cancellation)
    case .others:
      let rest = path.steps.dropFirst()
      guard table.hasArrays || table.hasRecords else {
        let values = try table.base.column(table.path, cancellation: cancellation)
        return try repeated(values.deriving(rest, cancellation: cancellation), cancellation)
      }
      return try columnOfElements(rest, areRecords: false, cancellation)
    case nil:
      throw TableError.unknownKey(
        ObjectKeyPath([path.steps[0]]).description, known: table.keys)
    }
  }

  /// Whether the path is at, above or below the place of the array, which the rows do not have.
  private var leadsToArray: Bool {
    zip(path.steps, table.path.steps).allSatisfy { $0 == $1 }
  }

  /// The values of the parents, each for all of its rows.
  private func repeated(_ column: KeyColumn, _ cancellation: Cancellation) throws -> KeyColumn {
    switch column {
    case .coded(let codes, let values):
      if case .natural = codes, case .values = values.storage {
        // The values may repeat, which only natural codes allow.
        var coder = ValueCoder()
        coder.reserve(table.count)
        try forEachParent(cancellation) { row, count in
          let code = coder.code(of: values[row])
          for _ in 0..<count { coder.append(code: code) }
        }
        return coder.column()
      }
      var repeated: [UInt32] = []
      repeated.reserveCapacity(table.count)
      try forEachParent(cancellation) { row, count in
        repeated.append(
          contentsOf: repeatElement(UInt32(truncatingIfNeeded: codes[row]), count: count))
      }
      return .coded(RowCodes(repeated, distinct: values.count), values: values)
    case .keyed(let column):
      var keys: [UInt64] = []
      keys.reserveCapacity(table.count)
      try forEachParent(cancellation) { row, count in
        keys.append(contentsOf: repeatElement(column.keys[row], count: count))
      }
      return .keyed(NumericColumn(kind: column.kind, keys: keys))
    }
  }

  private func forEachParent(
    _ cancellation: Cancellation, _ body: (_ row: Int, _ count: Int) -> Void
  ) throws {
    for position in 0..<table.order.count {
      if position & 0xFFF == 0 { try cancellation.check() }
      body(table.order[position], table.starts[position + 1] - table.starts[position])
    }
  }

  /// The values of steps in the elements that are records, or in those that are not; null in the
  /// others. The elements of each distinct array are evaluated once.
  private func columnOfElements(
    _ steps: ArraySlice<ObjectKeyPath.Step>, areRecords: Bool, _ cancellation: Cancellation
  ) throws -> KeyColumn {
    let column = try table.base.column(table.path, cancellation: cancellation)
    guard case .coded(let codes, let values) = column else {
      return try table.columnOfObjects(path, cancellation: cancellation)
    }
    if path.steps.count > 1 {
      let elements = values.lazy.flatMap { value in
        value.elements.filter { Self.isRecord($0) == areRecords }
      }
      try ObjectKeyPath.checkKnown(steps, to: elements)
    }
    var coder = ValueCoder()
    coder.reserve(table.count)
    // For each array, the position of the codes of its elements; -1 before they are evaluated.
    var starts = [Int](repeating: -1, count: values.count)
    var evaluated: [UInt32] = []
    try forEachParent(cancellation) { row, count in
      let code = codes[row]
      if starts[code] < 0 {
        starts[code] = evaluated.count
        for element in values[code].elements {
          let isIncluded = Self.isRecord(element) == areRecords
          evaluated.append(
            coder.code(of: isIncluded ? ObjectKeyPath.evaluate(steps, on: element) : .null))
        }
        // A row that is kept without an element.
        if evaluated.count - starts[code] < count { evaluated.append(coder.code(of: .null)) }
      }
      for index in 0..<count { coder.append(code: evaluated[starts[code] + index]) }
    }
    return coder.column()
  }

  private static func isRecord(_ value: Value) -> Bool {
    if case .record = value { true } else { false }
  }
}
