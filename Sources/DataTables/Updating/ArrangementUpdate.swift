/// Updates an arrangement after some of its rows have changed.
struct ArrangementUpdate {
  /// A row that is placed.
  struct Addition {
    let row: Int
    /// The position in the old input of the last row before it that stays, or -1.
    let anchor: Int
    /// The position among all additions in the order of the sort.
    let rank: Int
    let key: RowComparer.RowKey
  }

  private let arrangement: Arrangement
  private let old: SectionedTable
  private let rows: EditedRows
  private let comparer: RowComparer
  /// The additions that satisfy the predicate, in the order of the sort.
  private let added: [Addition]
  /// The positions of removed rows in the old arrangement, ascending.
  private let removed: [Int]
  private var inputPositions: InputPositions

  init(
    _ arrangement: Arrangement, _ old: SectionedTable, of input: RowOrder, _ rows: EditedRows,
    _ difference: RowDifference
  ) throws {
    self.arrangement = arrangement
    self.old = old
    self.rows = rows
    // An unknown key is an error of the arrangement of all rows.
    for path in arrangement.predicate?.keyPaths ?? [] {
      _ = try rows.values(of: path, cancellation: arrangement.cancellation)
    }
    comparer = try RowComparer(rows, by: arrangement.sort, cancellation: arrangement.cancellation)
    added = try Self.sorted(difference.added, rows, comparer, by: arrangement)
    removed = old.order.positions(of: difference.removed, below: rows.count)
    inputPositions = InputPositions(input)
  }

  private static func sorted(
    _ added: [RowDifference.Addition], _ rows: EditedRows, _ comparer: RowComparer,
    by arrangement: Arrangement
  ) throws -> [Addition] {
    var objects = try rows.objects(at: added.map(\.row))
    var kept = added
    if let predicate = arrangement.predicate {
      let holds = try objects.map { try predicate.holds(on: $0) }
      kept = zip(added, holds).filter(\.1).map(\.0)
      objects = zip(objects, holds).filter(\.1).map(\.0)
    }
    // Keys that none of these objects has are known to others.
    let table = ValueTable(objects)
    let sort = try arrangement.sort.filter { descriptor in
      do {
        _ = try table.column(descriptor.keyPath, cancellation: arrangement.cancellation)
        return true
      } catch TableError.unknownKey {
        return false
      }
    }
    let order = try table.sorted(
      .natural(objects.count), by: sort, cancellation: arrangement.cancellation)
    return try kept.indices.map { rank in
      let addition = kept[order[rank]]
      return Addition(
        row: addition.row, anchor: addition.anchor, rank: rank,
        key: try comparer.key(of: addition.row))
    }
  }

  mutating func arranged() throws -> SectionedRows? {
    if added.isEmpty, removed.isEmpty {
      return SectionedRows(order: old.order, sections: old.sections)
    }
    guard let key = arrangement.sections else {
      var plan = RowPlan(old.order)
      let added = try placed(added, in: 0..<old.order.count)
      plan.append(0..<old.order.count, without: removed[...], with: added[...])
      return SectionedRows(order: plan.order(), sections: .whole(plan.count))
    }
    let values = try rows.values(of: key.path, cancellation: arrangement.cancellation)
    return try key.mode.keepsOrder ? runs(key, values) : groups(key, values)
  }

  // MARK: Places

  /// A row at the position before which it is inserted.
  struct Placed {
    let addition: Addition
    /// A position in the old arrangement.
    let position: Int
  }

  /// The places of additions among sorted rows, ascending.
  /// - Parameter added: in the order of the sort.
  private mutating func placed(
    _ added: [Addition], in positions: Range<Int>
  ) throws -> [Placed] {
    var placed: [Placed] = []
    var start = positions.lowerBound
    // Among many additions, the next place is near.
    let step = max(1, positions.count / (added.count * 2 + 1))
    for addition in added {
      var end = min(start + step, positions.upperBound)
      while end < positions.upperBound, try isBefore(old.order[end - 1], addition) {
        start = end
        end = min(end + step, positions.upperBound)
      }
      start = try (start..<end).partitionPoint { try !isBefore(old.order[$0], addition) }
      placed.append(Placed(addition: addition, position: start))
    }
    return placed
  }

  /// Whether a row of the old arrangement stays before an addition.
  private mutating func isBefore(_ row: Int, _ addition: Addition) throws -> Bool {
    switch try comparer.compare(row, addition.key) {
    case .before: true
    case .after: false
    case .same: inputPositions[row] <= addition.anchor
    }
  }

  // MARK: Sections in the order of the rows

  private mutating func runs(
    _ key: Arrangement.SectionKey, _ values: EditedValues
  ) throws -> SectionedRows? {
    var runs = UpdatedRuns(values)
    var plan = RowPlan(old.order)
    var added = try placed(added, in: 0..<old.order.count)[...]
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
    if key.mode.name == SectionMode.strict.name, !sections.repeated.isEmpty { return nil }
    return SectionedRows(order: plan.order(), sections: sections)
  }

  // MARK: Sections in an order of their own

  private mutating func groups(
    _ key: Arrangement.SectionKey, _ values: EditedValues
  ) throws -> SectionedRows? {
    let isGroups = key.mode.name == SectionMode.groups.name
    let order = isGroups ? key.settings.order : nil
    if let order, order.criterion == .count || !order.titles.isEmpty { return nil }
    // In other modes, the title of a section is not the value of a row, so that a row is read for each.
    if !isGroups, old.sections.count > Self.maxSections { return nil }
    // The first row of each section represents it; then few rows have to be split.
    let members = try members(inOrder: isGroups && order == nil)
    let titles = try members.map { member in
      if isGroups, let title = member.title { return title }
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
      let placed = try placed(group.compactMap(\.addition), in: positions)
      let changes = plan.append(positions, without: removed(in: positions), with: placed[...])
      offsets.append(plan.count)
      var title = split.sections.titles[section]
      if isGroups, let first = changes?.first {
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
    let addition: Addition?
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
    case (nil, let addition?): return try isBefore(left.row, addition)
    case (let addition?, nil): return try !isBefore(right.row, addition)
    case (let left?, let right?): return left.rank < right.rank
    case (nil, nil):
      switch try comparer.compare(left.row, comparer.key(of: right.row)) {
      case .before: return true
      case .after: return false
      case .same: return inputPositions[left.row] < inputPositions[right.row]
      }
    }
  }
}

/// The positions of rows in the input, found when they are first needed.
private struct InputPositions {
  private let input: RowOrder
  private var positions: [UInt32] = []

  init(_ input: RowOrder) { self.input = input }

  /// - Complexity: O(rows) for the first row, O(1) for all others.
  subscript(row: Int) -> Int {
    mutating get {
      guard case .rows(let rows) = input else { return row }
      if positions.isEmpty {
        positions = [UInt32](repeating: 0, count: Int(rows.max() ?? 0) + 1)
        for (position, row) in rows.enumerated() {
          positions[Int(row)] = UInt32(truncatingIfNeeded: position)
        }
      }
      return Int(positions[row])
    }
  }
}

extension RowOrder {
  /// The positions of some rows, ascending; without those that are not in the order.
  fileprivate func positions(of rows: [Int], below count: Int) -> [Int] {
    if rows.isEmpty { return [] }
    let wanted = RowSet(rows, below: count)
    let found = WorkerSlots<[Int]>(Parallel.parts(of: self.count))
    Parallel.forEachPart(of: self.count) { part, positions in
      var matches: [Int] = []
      forEachRow(at: positions) { index, row in
        if wanted.contains(Int(row)) { matches.append(positions.lowerBound + index) }
      }
      found[part] = matches
    }
    return (0..<Parallel.parts(of: self.count)).flatMap { found[$0] ?? [] }
  }
}
