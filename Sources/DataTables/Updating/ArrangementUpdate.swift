/// Updates an arrangement after some of its rows have changed.
struct ArrangementUpdate {
  private let arrangement: Arrangement
  /// With the rows that replaced others.
  private let old: SectionedTable
  private let rows: EditedRows
  private var places: RowPlaces
  /// The additions that satisfy the predicate, in the order of the sort.
  private let added: [RowPlaces.Addition]
  /// The positions of removed rows in the old arrangement, ascending.
  private let removed: [Int]

  init(
    _ arrangement: Arrangement, _ old: SectionedTable, of input: RowOrder, _ rows: EditedRows,
    _ replaced: ReplacedRows
  ) throws {
    self.arrangement = arrangement
    self.old = replaced.applied(to: old)
    self.rows = rows
    // An unknown key is an error of the arrangement of all rows.
    for path in arrangement.predicate?.keyPaths ?? [] {
      _ = try EditedValues(path, of: rows, cancellation: arrangement.cancellation)
    }
    places = try RowPlaces(
      in: self.old.order, of: InputPositions(input, replaced.inputPositions), rows,
      by: arrangement)
    added = try places.additions(replaced.added, by: arrangement)
    removed = old.order.positions(of: RowMask(replaced.removed, of: rows.count))
  }

  mutating func arranged() throws -> SectionedRows? {
    if added.isEmpty, removed.isEmpty {
      return SectionedRows(order: old.order, sections: old.sections)
    }
    guard let key = arrangement.sections else {
      var plan = RowPlan(old.order)
      let added = try places.placed(added, in: 0..<old.order.count)
      plan.append(0..<old.order.count, without: removed[...], with: added[...])
      return SectionedRows(order: plan.order(), sections: .whole(plan.count))
    }
    let values = try EditedValues(key.path, of: rows, cancellation: arrangement.cancellation)
    return try key.mode.keepsOrder ? runs(key, values) : groups(key, values)
  }

  // MARK: Sections in the order of the rows

  private mutating func runs(
    _ key: Arrangement.SectionKey, _ values: EditedValues
  ) throws -> SectionedRows? {
    var runs = UpdatedRuns(values)
    var plan = RowPlan(old.order)
    var added = try places.placed(added, in: 0..<old.order.count)[...]
    var removed = removed[...]
    for section in 0..<old.sections.count {
      let positions = old.sections.positions(in: section)
      let changes = plan.append(
        positions, without: removed.popPrefix { $0 < positions.upperBound },
        with: added.popPrefix { $0.position < positions.upperBound })
      if let changes {
        try runs.append(changes, in: old.order)
      } else {
        try runs.append(positions, titled: old.sections.titles[section], in: old.order)
      }
    }
    if let changes = plan.append(old.order.count..<old.order.count, without: [], with: added) {
      try runs.append(changes, in: old.order)
    }
    // Sorted by the key itself, equal values are adjacent.
    let isSorted =
      arrangement.sort.first.map {
        $0.keyPath == key.path && $0.comparison == .compare && $0.list.isEmpty
      } ?? false
    let sections = runs.sections(canRepeat: !isSorted)
    if key.mode.rejectsRepeats, !sections.repeated.isEmpty { return nil }
    return SectionedRows(order: plan.order(), sections: sections)
  }

  // MARK: Sections in an order of their own

  private mutating func groups(
    _ key: Arrangement.SectionKey, _ values: EditedValues
  ) throws -> SectionedRows? {
    let isByValue = key.mode.isByValue
    let order = isByValue ? key.settings.order : nil
    if let order, order.criterion == .count || !order.titles.isEmpty { return nil }
    // In other modes, the title of a section is not the value of a row, so that a row is read for each.
    if !isByValue, old.sections.count > Self.maxSections { return nil }
    // The first row of each section represents it; then few rows have to be split.
    let members = try members(inOrder: isByValue && order == nil)
    let titles = try members.map { member in
      if isByValue, let title = member.title { return title }
      return try values.written(at: member.row)
    }
    let split = try key.mode.split(
      KeyedRows(
        ValueTable(titles), key: ObjectKeyPath([]), order: .natural(titles.count),
        cancellation: arrangement.cancellation), key.settings)
    var plan = RowPlan(old.order)
    var offsets = [0]
    var newTitles: [Value] = []
    for section in 0..<split.sections.count {
      let group = split.sections.positions(in: section).map { members[split.order[$0]] }
      let positions =
        group.lazy.compactMap(\.section).first.map { old.sections.positions(in: $0) } ?? 0..<0
      let placed = try places.placed(group.compactMap(\.addition), in: positions)
      let changes = plan.append(positions, without: removed(in: positions), with: placed[...])
      offsets.append(plan.count)
      var title = split.sections.titles[section]
      if isByValue, let first = changes?.first {
        title = try values.written(at: first.firstRow(in: old.order))
      }
      newTitles.append(title)
    }
    return SectionedRows(
      order: plan.order(),
      sections: Sections(
        offsets: offsets, titles: newTitles, repeated: split.sections.repeated,
        listed: split.sections.listed))
  }

  private func removed(in positions: Range<Int>) -> ArraySlice<Int> {
    let start = removed.partitionPoint { $0 >= positions.lowerBound }
    return removed[start..<removed.partitionPoint { $0 >= positions.upperBound }]
  }

  /// A row that represents the rows of an old section that stay, or an addition.
  private struct Member {
    let row: Int
    let section: Int?
    let addition: RowPlaces.Addition?
    /// The title of the section if the row was its first one before.
    let title: Value?
  }

  private static let maxSections = 4_096

  /// - Parameter inOrder: whether the members are in the order of the sort.
  private mutating func members(inOrder: Bool) throws -> [Member] {
    var kept: [Member] = []
    var other = added.map { Member(row: $0.row, section: nil, addition: $0, title: Value?.none) }
    var removed = removed[...]
    for section in 0..<old.sections.count {
      let positions = old.sections.positions(in: section)
      let gone = removed.popPrefix { $0 < positions.upperBound }
      var first = positions.lowerBound
      for position in gone where position == first { first += 1 }
      guard first < positions.upperBound else { continue }
      let isFirst = first == positions.lowerBound
      let member = Member(
        row: old.order[first], section: section, addition: nil,
        title: isFirst ? old.sections.titles[section] : Value?.none)
      if isFirst { kept.append(member) } else { other.append(member) }
    }
    guard inOrder else { return kept + other }
    try other.sort { try isBefore($0, $1) }
    var members: [Member] = []
    members.reserveCapacity(kept.count + other.count)
    var rest = kept[...]
    for member in other {
      let place = try rest.partitionPoint { try !isBefore($0, member) }
      members += rest[..<place]
      members.append(member)
      rest = rest[place...]
    }
    return members + rest
  }

  private mutating func isBefore(_ left: Member, _ right: Member) throws -> Bool {
    switch (left.addition, right.addition) {
    case (nil, let addition?): return try places.isBefore(left.row, addition)
    case (let addition?, nil): return try !places.isBefore(right.row, addition)
    case (let left?, let right?): return left.rank < right.rank
    case (nil, nil): return try places.isBefore(left.row, right.row)
    }
  }
}
