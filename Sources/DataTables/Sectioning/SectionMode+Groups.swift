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
  /// The groups that have rows, as they first appear.
  private let found: [Group]
  /// Whether the rows of every group stand together.
  private let isContiguous: Bool
  /// The number of codes.
  private let bound: Int

  struct Group {
    let number: Int
    let firstRow: Int
    var count = 0
  }

  init(_ rows: KeyedRows) throws {
    self.rows = rows
    column = try rows.column()
    switch column {
    case .coded(let codes, let values):
      (self.codes, bound) = (codes, values.count)
      groups = EqualityGroups(values).ids
    case .keyed(let column):
      (codes, bound) = column.ranked()
      groups = nil
    }
    try rows.cancellation.check()
    (found, isContiguous) =
      switch (codes, groups) {
      case (.narrow(let codes), nil): Self.find(rows.order, bound) { Int(codes[$0]) }
      case (.wide(let codes), nil): Self.find(rows.order, bound) { Int(codes[$0]) }
      case (.natural, nil): Self.find(rows.order, bound) { $0 }
      case (let codes, let groups?): Self.find(rows.order, bound) { Int(groups[codes[$0]]) }
      }
  }

  @inline(__always)
  private static func find(
    _ order: RowOrder, _ bound: Int, group: (_ row: Int) -> Int
  ) -> ([Group], isContiguous: Bool) {
    var places = [Int32](repeating: -1, count: bound)
    var found: [Group] = []
    var isContiguous = true
    var last: Int32 = -1
    order.forEachRow(at: 0..<order.count) { _, row in
      let number = group(Int(row))
      var place = places[number]
      if place < 0 {
        place = Int32(truncatingIfNeeded: found.count)
        places[number] = place
        found.append(Group(number: number, firstRow: Int(row)))
      } else if place != last {
        isContiguous = false
      }
      found[Int(place)].count &+= 1
      last = place
    }
    return (found, isContiguous)
  }

  func sections(ordered order: GroupOrder?) throws -> SectionedRows {
    let titles = try titles()
    let sequence = try order.map { try self.sequence(titles, $0) } ?? Array(found.indices)
    try rows.cancellation.check()
    var offsets = [0]
    offsets.reserveCapacity(found.count + 1)
    for place in sequence { offsets.append(offsets[offsets.count - 1] + found[place].count) }
    let cut = SectionCut(offsets: offsets, titles: sequence.map { titles[$0] })
    let isInPlace = isContiguous && zip(sequence, 0...).allSatisfy { $0 == $1 }
    return SectionedRows(
      order: isInPlace ? rows.order : buckets(sequence).placed(rows.order).order, sections: cut)
  }

  /// The values of the key at the first rows, as they are written.
  private func titles() throws -> [Value] {
    switch column {
    case .coded(let codes, let values): found.map { values[codes[$0.firstRow]] }
    case .keyed(let column):
      try rows.table.values(
        of: rows.key, column: column, at: found.map(\.firstRow), cancellation: rows.cancellation)
    }
  }

  private func buckets(_ sequence: [Int]) -> RowBuckets {
    // Groups without rows keep 0: no row asks for theirs.
    var ofGroup = [UInt32](repeating: 0, count: bound)
    for (bucket, place) in sequence.enumerated() {
      ofGroup[found[place].number] = UInt32(truncatingIfNeeded: bucket)
    }
    let ofCode = groups.map { groups in groups.map { ofGroup[Int($0)] } } ?? ofGroup
    return RowBuckets(codes: codes, buckets: ofCode, count: found.count)
  }

  /// The places in `found` in the order that is asked for; what ties stands as it first appears.
  private func sequence(_ titles: [Value], _ order: GroupOrder) throws -> [Int] {
    switch order.criterion {
    case .count:
      let isDescending = order.direction == .descending
      return found.indices.sorted { left, right in
        let (first, second) = (found[left].count, found[right].count)
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
