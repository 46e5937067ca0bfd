extension Table {
  /// Cuts rows into sections where the key differs from the row before.
  ///
  /// Nulls and missing keys are equal. No rows give no sections.
  /// - Complexity: O(rows), with two array reads a row.
  /// - Throws: ``TableError/unknownKey(_:known:)`` when no object has the key and there are
  ///   objects; what reading the titles throws.
  public func runs(
    of keyPath: ObjectKeyPath, in order: RowOrder, cancellation: Cancellation = Cancellation()
  ) throws -> SectionCut {
    try runs(of: keyPath, in: SortedRows(order), cancellation: cancellation)
  }

  /// As ``runs(of:in:cancellation:)-(_,RowOrder,_)``.
  /// - Complexity: what the sort knows is not looked at again: O(runs of the key that was sorted by
  ///   first) for that key and what is derived from it.
  package func runs(
    of keyPath: ObjectKeyPath, in rows: SortedRows, cancellation: Cancellation = Cancellation()
  ) throws -> SectionCut {
    let order = rows.order
    let steps = rows.leading?.steps(to: keyPath)
    if let steps, case .texts(let texts)? = rows.leading?.runs,
      let cut = texts.runs(of: steps, in: order)
    {
      return cut
    }
    if let steps, !steps.isEmpty,
      let cut = try derivedRuns(of: steps, in: rows, cancellation: cancellation)
    {
      return cut
    }
    let column = try column(keyPath, cancellation: cancellation)
    try cancellation.check()
    switch column {
    case .coded(let codes, let values):
      let equal = try EqualityGroups(values).ids
      let offsets =
        if steps != nil, case .starts(let starts)? = rows.leading?.runs {
          codes.starts(in: order, of: starts, groups: equal)
        } else {
          codes.starts(in: order, groups: equal)
        }
      let first = codes.codes(at: order.rows(at: offsets.dropLast()))
      let titles = first.map { values[$0] }
      let groups = equal.map { equal in first.map { Int(equal[$0]) } } ?? first
      return SectionCut(
        offsets: offsets, titles: titles,
        repeated: RepeatedTitle.all(titles, groups: groups, bound: values.count))
    case .keyed(let column):
      let offsets = column.keys.withUnsafeBufferPointer { keys in
        runStarts(in: order) { keys[$0] }
      }
      let rows = order.rows(at: offsets.dropLast())
      let titles = try values(of: keyPath, column: column, at: rows, cancellation: cancellation)
      return SectionCut(
        offsets: offsets, titles: titles,
        repeated: RepeatedTitle.all(titles, groups: column.groups(of: rows), bound: rows.count))
    }
  }

  /// The runs of a key that is derived from the one that was sorted by first: what its distinct values
  /// give tells them, and no row is looked at but the first of those that share a value.
  ///
  /// - Returns: nil where the sort does not know these rows, or numbers come of the steps.
  private func derivedRuns(
    of steps: ArraySlice<ObjectKeyPath.Step>, in rows: SortedRows, cancellation: Cancellation
  ) throws -> SectionCut? {
    guard let leading = rows.leading, case .starts(let starts) = leading.runs,
      case .coded(let codes, let values) = try column(
        leading.keyPath, cancellation: cancellation),
      // As if the values were rows.
      case .coded(let derivedCodes, let derived) = try KeyColumn.coded(
        .natural(values.count), values: values
      ).deriving(steps, cancellation: cancellation)
    else { return nil }
    let equal = try EqualityGroups(derived).ids
    let groups = values.indices.map { code in
      equal?[derivedCodes[code]] ?? UInt32(truncatingIfNeeded: derivedCodes[code])
    }
    let offsets = codes.starts(in: rows.order, of: starts, groups: groups)
    let first = codes.codes(at: rows.order.rows(at: offsets.dropLast()))
    let titles = first.map { derived[derivedCodes[$0]] }
    return SectionCut(
      offsets: offsets, titles: titles,
      repeated: RepeatedTitle.all(
        titles, groups: first.map { Int(groups[$0]) }, bound: derived.count))
  }
}

extension RowOrder {
  fileprivate func rows(at positions: ArraySlice<Int>) -> [Int] {
    switch self {
    case .natural: Array(positions)
    case .rows(let rows): positions.map { Int(rows[$0]) }
    }
  }
}

extension NumericColumn {
  /// Numbers below `rows.count`, the same for rows with the same key.
  fileprivate func groups(of rows: [Int]) -> [Int] {
    var entries = rows.indices.map { KeyedIndex(key: keys[rows[$0]], index: UInt32($0)) }
    KeyedIndex.sort(&entries)
    var groups = [Int](repeating: 0, count: rows.count)
    var group = 0
    for (place, entry) in entries.enumerated() {
      if place > 0, entry.key != entries[place - 1].key { group += 1 }
      groups[Int(entry.index)] = group
    }
    return groups
  }
}
