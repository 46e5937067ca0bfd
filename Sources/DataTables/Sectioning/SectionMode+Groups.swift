extension SectionMode {
  public static let groups = SectionMode(
    "groups", "puts all rows with equal keys into one section", settings: [.order]
  ) { rows, settings in
    try GroupPlacement(rows).sections(ordered: settings.order)
  }
}

/// Splits rows into groups with equal keys.
private struct GroupPlacement {
  private let rows: KeyedRows
  private let column: KeyColumn
  private let codes: RowCodes
  /// The group number of each code, which is the first code with an equal value; nil if each code
  /// is its own group.
  private let groups: [UInt32]?
  private let appearances: GroupAppearances
  /// The number of codes, greater than every group number.
  private let bound: Int

  init(_ rows: KeyedRows) throws {
    self.rows = rows
    column = try rows.column()
    switch column {
    case .coded(let codes, let values):
      (self.codes, bound) = (codes, values.count)
      groups = try EqualityGroups(values).firstCodes
    case .keyed(let column):
      let (ranks, count): ([UInt32], Int) = KeyedIndex.ranks(of: column.keys)
      (codes, bound) = (.wide(ranks), count)
      groups = nil
    }
    try rows.cancellation.check()
    appearances = codes.numbering(groups, GroupFinding(order: rows.order, bound: bound))
  }

  private struct GroupFinding: RowNumberingUse {
    let order: RowOrder
    let bound: Int

    func callAsFunction(_ groups: some RowNumbering) -> GroupAppearances {
      GroupAppearances(order, groups, bound: bound)
    }
  }

  func sections(ordered order: GroupOrder?) throws -> SectionedRows {
    let titles = try titles()
    let sequence =
      try order.map { try self.sequence(titles, $0) } ?? Array(appearances.groups.indices)
    try rows.cancellation.check()
    var offsets = [0]
    offsets.reserveCapacity(appearances.groups.count + 1)
    for group in sequence {
      offsets.append(offsets[offsets.count - 1] + appearances.groups[group].count)
    }
    let sections = Sections(offsets: offsets, titles: sequence.map { titles[$0] })
    let isInOrder = appearances.isContiguous && zip(sequence, 0...).allSatisfy { $0 == $1 }
    guard !isInOrder else { return SectionedRows(order: rows.order, sections: sections) }
    let counts = sequence.map { appearances.groups[$0].count }
    return SectionedRows(
      order: buckets(sequence).placed(rows.order, counts: counts), sections: sections)
  }

  /// The value of the key in the first row of each group, as it is written there.
  private func titles() throws -> [Value] {
    switch column {
    case .coded(let codes, let values): appearances.groups.map { values[codes[$0.firstRow]] }
    case .keyed(let column):
      try rows.table.values(
        of: rows.key, column: column, at: appearances.groups.map(\.firstRow),
        cancellation: rows.cancellation)
    }
  }

  private func buckets(_ sequence: [Int]) -> RowBuckets {
    // Groups without rows keep 0, which is never read.
    var bucketOfGroup = [UInt32](repeating: 0, count: bound)
    for (bucket, group) in sequence.enumerated() {
      bucketOfGroup[appearances.groups[group].number] = UInt32(truncatingIfNeeded: bucket)
    }
    let bucketOfCode =
      groups.map { groups in groups.map { bucketOfGroup[Int($0)] } } ?? bucketOfGroup
    return RowBuckets(codes: codes, buckets: bucketOfCode, count: appearances.groups.count)
  }

  /// The indexes of `appearances.groups` in the requested order; ties keep the order of first
  /// appearance.
  private func sequence(_ titles: [Value], _ order: GroupOrder) throws -> [Int] {
    if !order.titles.isEmpty {
      let places = Dictionary(zip(order.titles, 0...), uniquingKeysWith: { first, _ in first })
      let listed = titles.indices.filter { places[titles[$0]] != nil }
        .sorted { places[titles[$0], default: 0] < places[titles[$1], default: 0] }
      return listed + titles.indices.filter { places[titles[$0]] == nil }
    }
    switch order.criterion {
    case .count:
      let isDescending = order.direction == .descending
      return appearances.groups.indices.sorted { left, right in
        let (first, second) = (appearances.groups[left].count, appearances.groups[right].count)
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
