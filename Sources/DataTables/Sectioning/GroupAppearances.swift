/// The groups of rows, in order of first appearance.
struct GroupAppearances {
  struct Group {
    let number: Int
    let firstRow: Int
    var count: Int
  }

  private(set) var groups: [Group] = []
  /// Whether the rows of each group are contiguous.
  private(set) var isContiguous = true
  /// The group number of the last row.
  private var last = -1

  /// With more groups than this, one worker counts all rows: several workers would each find most
  /// of the groups.
  private static let maxParallelGroups = 1 << 16

  /// - Parameters:
  ///   - numbering: the group number of each row.
  ///   - bound: greater than the number of every group.
  init(_ order: RowOrder, _ numbering: some RowNumbering, bound: Int) {
    let order = order.computed
    guard bound <= Self.maxParallelGroups else {
      self.init(order, at: 0..<order.count, numbering, bound: bound)
      return
    }
    let found = WorkerSlots<GroupAppearances>(Parallel.parts(of: order.count))
    Parallel.forEachPart(of: order.count) { part, positions in
      found[part] = GroupAppearances(order, at: positions, numbering, bound: bound)
    }
    self.init(
      joining: (0..<Parallel.parts(of: order.count)).compactMap { found[$0] }, bound: bound)
  }

  private init(
    _ order: RowOrder, at positions: Range<Int>, _ numbering: some RowNumbering, bound: Int
  ) {
    let counts = UnsafeMutablePointer<UInt32>.allocate(capacity: max(1, bound))
    counts.initialize(repeating: 0, count: bound)
    defer { counts.deallocate() }
    var first: [(number: Int, row: UInt32)] = []
    var isContiguous = true
    var last = -1
    order.forEachRow(at: positions) { _, row in
      let number = numbering.number(of: Int(row))
      let count = counts[number]
      if count == 0 { first.append((number, row)) }
      isContiguous = isContiguous && (count == 0 || number == last)
      counts[number] = count &+ 1
      last = number
    }
    groups = first.map { Group(number: $0, firstRow: Int($1), count: Int(counts[$0])) }
    self.isContiguous = isContiguous
    self.last = last
  }

  /// Joins the groups of consecutive parts of the rows.
  private init(joining parts: [GroupAppearances], bound: Int) {
    guard let first = parts.first else { return }
    self = first
    guard parts.count > 1 else { return }
    var indexes = [Int?](repeating: nil, count: bound)
    for (index, group) in groups.enumerated() { indexes[group.number] = index }
    for part in parts.dropFirst() {
      isContiguous = isContiguous && part.isContiguous
      for (position, group) in part.groups.enumerated() {
        if let index = indexes[group.number] {
          groups[index].count += group.count
          // If groups are contiguous, only the first group of a part can continue an earlier group:
          // the group of the previous part's last row.
          if position > 0 || group.number != last { isContiguous = false }
        } else {
          indexes[group.number] = groups.count
          groups.append(group)
        }
      }
      last = part.last
    }
  }
}
