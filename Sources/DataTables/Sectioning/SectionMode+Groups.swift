extension SectionMode {
  public static let groups = SectionMode(
    "groups", "puts all rows with equal keys into one section", settings: [.order]
  ) { rows, settings in
    try GroupPlacement(rows).sections(ordered: settings.order)
  }
}

/// The groups of rows with equal keys.
private struct GroupPlacement {
  private let rows: KeyedRows
  private let column: KeyColumn
  private let codes: RowCodes
  /// The group of each code; nil if each code is a group.
  private let groups: [UInt32]?
  private let appearances: GroupAppearances
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
    appearances =
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
    let sequence =
      try order.map { try self.sequence(titles, $0) } ?? Array(appearances.groups.indices)
    try rows.cancellation.check()
    var offsets = [0]
    offsets.reserveCapacity(appearances.groups.count + 1)
    for place in sequence {
      offsets.append(offsets[offsets.count - 1] + appearances.groups[place].count)
    }
    let sections = Sections(offsets: offsets, titles: sequence.map { titles[$0] })
    let isInPlace = appearances.isContiguous && zip(sequence, 0...).allSatisfy { $0 == $1 }
    return SectionedRows(
      order: isInPlace ? rows.order : buckets(sequence).sorted(rows.order), sections: sections)
  }

  /// The value of the key in the first row of each group, as it is written.
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
    // Groups without rows keep 0: it is never read.
    var ofGroup = [UInt32](repeating: 0, count: bound)
    for (bucket, place) in sequence.enumerated() {
      ofGroup[appearances.groups[place].number] = UInt32(truncatingIfNeeded: bucket)
    }
    let ofCode = groups.map { groups in groups.map { ofGroup[Int($0)] } } ?? ofGroup
    return RowBuckets(codes: codes, buckets: ofCode, count: appearances.groups.count)
  }

  /// The places in `appearances` in the requested order; ties keep the order of first appearance.
  private func sequence(_ titles: [Value], _ order: GroupOrder) throws -> [Int] {
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
