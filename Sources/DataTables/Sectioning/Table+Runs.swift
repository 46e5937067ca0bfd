extension Table {
  /// Cuts rows into sections where the key differs from the row before.
  ///
  /// Nulls and missing keys are equal. No rows give no sections.
  /// - Complexity: O(rows), with two array reads a row.
  /// - Throws: ``TableError/unknownKey(_:known:)`` when no object has the key and there are objects;
  ///   what reading the titles throws.
  public func runs(
    of keyPath: ObjectKeyPath, in order: RowOrder, cancellation: Cancellation = Cancellation()
  ) throws -> SectionCut {
    let column = try column(keyPath, cancellation: cancellation)
    try cancellation.check()
    let offsets: [Int]
    let titles: [Value]
    let ids: [UInt64]
    switch column {
    case .coded(let codes, let values):
      let groups = EqualityGroups(values).ids
      offsets = codes.starts(in: order, groups: groups)
      let first = offsets.dropLast().map { codes[order[$0]] }
      titles = first.map { values[$0] }
      ids = first.map { code in groups.map { UInt64($0[code]) } ?? UInt64(code) }
    case .keyed(let column):
      offsets = column.keys.withUnsafeBufferPointer { keys in
        runStarts(in: order) { keys[$0] }
      }
      let rows = offsets.dropLast().map { order[$0] }
      titles = try values(of: keyPath, column: column, at: rows, cancellation: cancellation)
      ids = rows.map { column.keys[$0] }
    }
    return SectionCut(
      offsets: offsets, titles: titles, repeated: RepeatedTitle.all(titles, ids: ids))
  }

  /// The values of a numeric column as they are written.
  func values(
    of keyPath: ObjectKeyPath, column: NumericColumn, at rows: [Int], cancellation: Cancellation
  ) throws -> [Value] {
    // An integer has one form only. Of the others the key does not tell the text; the objects do.
    if column.kind == .integer { return rows.map { column.value(of: column.keys[$0]) } }
    var values: [Value] = []
    values.reserveCapacity(rows.count)
    for start in stride(from: 0, to: rows.count, by: 4_096) {
      try cancellation.check()
      let batch = Array(rows[start..<min(rows.count, start + 4_096)])
      for object in try objects(at: batch) { values.append(keyPath.evaluate(on: object)) }
    }
    return values
  }
}
