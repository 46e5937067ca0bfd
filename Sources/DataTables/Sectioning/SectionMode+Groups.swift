extension SectionMode {
  public static let groups = SectionMode(
    "groups", "rows with equal keys share a section wherever they stand", settings: [.order]
  ) { rows, settings in
    try GroupPlacement(rows).sections(ordered: settings.order)
  }
}

/// The groups of rows with equal keys.
private struct GroupPlacement {
  private let rows: KeyedRows
  private let column: KeyColumn
  private let codes: RowCodes
  /// For every code its group; nil when each is its own.
  private let groups: [UInt32]?
  private let found: GroupAppearances
  /// The number of codes.
  private let bound: Int

  init(_ rows: KeyedRows) throws {
    self.rows = rows
    column = try rows.column()
    switch column {
    case .coded(let codes, let values):
      (self.codes, bound) = (codes, values.count)
      groups = try EqualityGroups(values).ids
    case .keyed(let column):
      (codes, bound) = column.ranked()
      groups = nil
    }
    try rows.cancellation.check()
    let order = rows.order
    found =
      switch (codes, groups) {
      case (.narrow(let codes), nil): GroupAppearances(order, bound: bound) { Int(codes[$0]) }
      case (.wide(let codes), nil): GroupAppearances(order, bound: bound) { Int(codes[$0]) }
      case (.natural, nil): GroupAppearances(order, bound: bound) { $0 }
      case (let codes, let groups?):
        GroupAppearances(order, bound: bound) { Int(groups[codes[$0]]) }
      }
  }

  func sections(ordered order: GroupOrder?) throws -> SectionedRows {
    let titles = try titles()
    let sequence = try order.map { try self.sequence(titles, $0) } ?? Array(found.groups.indices)
    try rows.cancellation.check()
    var offsets = [0]
    offsets.reserveCapacity(found.groups.count + 1)
    for place in sequence { offsets.append(offsets[offsets.count - 1] + found.groups[place].count) }
    let cut = SectionCut(offsets: offsets, titles: sequence.map { titles[$0] })
    let isInPlace = found.isContiguous && zip(sequence, 0...).allSatisfy { $0 == $1 }
    return SectionedRows(
      order: isInPlace ? rows.order : buckets(sequence).sorted(rows.order), sections: cut)
  }

  /// The values of the key at the first rows, as they are written.
  private func titles() throws -> [Value] {
    switch column {
    case .coded(let codes, let values): found.groups.map { values[codes[$0.firstRow]] }
    case .keyed(let column):
      try rows.table.values(
        of: rows.key, column: column, at: found.groups.map(\.firstRow),
        cancellation: rows.cancellation)
    }
  }

  private func buckets(_ sequence: [Int]) -> RowBuckets {
    // Groups without rows keep 0: no row asks for theirs.
    var ofGroup = [UInt32](repeating: 0, count: bound)
    for (bucket, place) in sequence.enumerated() {
      ofGroup[found.groups[place].number] = UInt32(truncatingIfNeeded: bucket)
    }
    let ofCode = groups.map { groups in groups.map { ofGroup[Int($0)] } } ?? ofGroup
    return RowBuckets(codes: codes, buckets: ofCode, count: found.groups.count)
  }

  /// The places in `found` in the order that is asked for; what ties stands as it first appears.
  private func sequence(_ titles: [Value], _ order: GroupOrder) throws -> [Int] {
    switch order.criterion {
    case .count:
      let isDescending = order.direction == .descending
      return found.groups.indices.sorted { left, right in
        let (first, second) = (found.groups[left].count, found.groups[right].count)
        if first == second { return left < right }
        return isDescending ? first > second : first < second
      }
    case .title:
      let table = ValueTable(titles)
      let key = ObjectKeyPath([])
      let sorted = try table.sorted(
        .natural(titles.count),
        by: [
          SortDescriptor(
            key, direction: order.direction, comparison: order.comparison, locale: order.locale),
          SortDescriptor(key, direction: order.direction),
        ], cancellation: rows.cancellation)
      return titles.indices.map { sorted[$0] }
    }
  }
}
