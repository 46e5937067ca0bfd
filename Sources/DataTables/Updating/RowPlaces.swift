/// Finds the places of rows among rows that are sorted.
struct RowPlaces {
  /// A row that is placed.
  struct Addition {
    let row: Int
    /// The position in the old input of the last row before it that stays, or -1.
    let anchor: Int
    /// The position among all additions in the order of the sort.
    let rank: Int
    let key: RowComparer.RowKey
  }

  /// A row at the position before which it is inserted.
  struct Placed {
    let addition: Addition
    /// A position in the old arrangement.
    let position: Int
  }

  /// The sorted rows.
  private let order: RowOrder
  private let rows: EditedRows
  private let comparer: RowComparer
  private var inputPositions: InputPositions

  /// - Parameters:
  ///   - order: the sorted rows.
  ///   - inputPositions: the positions of the same rows, and others, before the sort.
  /// - Throws: ``TableError/unknownKey(_:known:)`` for a key that the base of the rows lacks.
  init(
    in order: RowOrder, of inputPositions: InputPositions, _ rows: EditedRows,
    by arrangement: Arrangement
  ) throws {
    self.order = order
    self.rows = rows
    comparer = try RowComparer(rows, by: arrangement.sort, cancellation: arrangement.cancellation)
    self.inputPositions = inputPositions
  }

  /// The additions that satisfy the predicate, in the order of the sort.
  func additions(
    _ added: [RowDifference.Addition], by arrangement: Arrangement
  ) throws -> [Addition] {
    var objects = try rows.objects(at: added.map(\.row))
    var kept = added
    if let predicate = arrangement.predicate {
      let holds = try objects.map { try predicate.holds(on: $0) }
      kept = zip(added, holds).filter(\.1).map(\.0)
      objects = zip(objects, holds).filter(\.1).map(\.0)
    }
    // A key that all these objects lack may exist in other rows.
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

  /// The places of additions among sorted rows, ascending.
  /// - Parameter added: in the order of the sort.
  mutating func placed(
    _ added: [Addition], in positions: Range<Int>
  ) throws -> [Placed] {
    var placed: [Placed] = []
    placed.reserveCapacity(added.count)
    var start = positions.lowerBound
    // Among many additions, the next place is near.
    let step = max(1, positions.count / (added.count * 2 + 1))
    for addition in added {
      var end = min(start + step, positions.upperBound)
      while end < positions.upperBound, try isBefore(order[end - 1], addition) {
        start = end
        end = min(end + step, positions.upperBound)
      }
      start = try (start..<end).partitionPoint { try !isBefore(order[$0], addition) }
      placed.append(Placed(addition: addition, position: start))
    }
    return placed
  }

  /// Whether a row of the old arrangement stays before an addition.
  mutating func isBefore(_ row: Int, _ addition: Addition) throws -> Bool {
    switch try comparer.compare(row, addition.key) {
    case .before: true
    case .after: false
    case .same: inputPositions[row] <= addition.anchor
    }
  }

  /// Whether a row of the old arrangement is before another one.
  mutating func isBefore(_ row: Int, _ other: Int) throws -> Bool {
    switch try comparer.compare(row, comparer.key(of: other)) {
    case .before: true
    case .after: false
    case .same: inputPositions[row] < inputPositions[other]
    }
  }
}

/// The positions of rows in the input, found when they are first needed.
struct InputPositions {
  private let input: RowOrder
  private let replaced: [Int: Int]
  private var positions: [UInt32] = []

  /// - Parameter replaced: the positions of rows that replaced others.
  init(_ input: RowOrder, _ replaced: [Int: Int]) {
    self.input = input
    self.replaced = replaced
  }

  /// - Complexity: O(rows) for the first row, O(1) for all others.
  subscript(row: Int) -> Int {
    mutating get {
      if let position = replaced[row] { return position }
      guard let rows = input.list else { return row }
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
