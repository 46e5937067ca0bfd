/// Rows that take the places of others in an arrangement, because they have the same values under all
/// keys that it reads.
struct ReplacedRows {
  /// The new row for each old one.
  private var newRows: [Int: Int] = [:]
  /// For each new row, the position of the old one in the old input.
  private(set) var inputPositions: [Int: Int] = [:]
  /// The other rows that leave their places, in the order of the old input.
  private(set) var removed: [Int] = []
  /// The other rows that are placed, in the order of the new input.
  private(set) var added: [RowDifference.Addition] = []
  /// The number of rows before and after the edit.
  private let count: Int

  private static let pieceSize = 4_096

  /// - Complexity: O(differing rows), on all processors.
  /// - Throws: the errors of reading rows, ``TableError/unknownKey(_:known:)``.
  init(_ difference: RowDifference, _ rows: EditedRows, by arrangement: Arrangement) throws {
    count = rows.count
    let comparison = try PlaceComparison(difference, rows, arrangement)
    let additions = difference.added
    let pieces = (additions.count + Self.pieceSize - 1) / Self.pieceSize
    let slots = WorkerSlots<[Bool]>(pieces)
    try Parallel.forEach(pieces) { piece, _ in
      try arrangement.cancellation.check()
      let start = piece * Self.pieceSize
      slots[piece] = try additions[start..<min(additions.count, start + Self.pieceSize)]
        .map { try comparison.keepsPlace($0) }
    }
    // The position in the old input of the last row that was replaced.
    var last = -1
    for piece in 0..<pieces {
      for (index, isReplacing) in (slots[piece] ?? []).enumerated() {
        let addition = additions[piece * Self.pieceSize + index]
        if isReplacing, let replaced = addition.replaced {
          newRows[replaced.row] = addition.row
          inputPositions[addition.row] = replaced.position
          last = replaced.position
        } else {
          added.append(addition.after(last))
        }
      }
    }
    removed = difference.removed.map(\.row).filter { newRows[$0] == nil }
  }

  /// The old arrangement with the new rows in the places of the old ones.
  func applied(to old: SectionedTable) -> SectionedTable {
    if newRows.isEmpty { return old }
    let positions = old.order.positions(of: RowMask(Array(newRows.keys), of: count))
    if positions.isEmpty { return old }
    var rows = old.order.listed()
    for position in positions {
      guard let row = newRows[Int(rows[position])] else { continue }
      rows[position] = UInt32(truncatingIfNeeded: row)
    }
    return SectionedTable(table: old.table, order: .rows(rows), sections: old.sections)
  }
}

/// Compares rows with those that they replace in the input.
private struct PlaceComparison: Sendable {
  private let rows: EditedRows
  private let removed: RowMask
  private let added: RowMask
  private let sort: [EditedValues]
  private let section: EditedValues?
  private let predicate: Predicate?

  init(_ difference: RowDifference, _ rows: EditedRows, _ arrangement: Arrangement) throws {
    self.rows = rows
    removed = RowMask(difference.removed.map(\.row), of: rows.count)
    added = RowMask(difference.added.map(\.row), of: rows.count)
    sort = try arrangement.sort.map {
      try EditedValues($0.keyPath, of: rows, cancellation: arrangement.cancellation)
    }
    section = try arrangement.sections.map {
      try EditedValues($0.path, of: rows, cancellation: arrangement.cancellation)
    }
    predicate = arrangement.predicate
  }

  /// Whether a row has the place that the row before it had in the arrangement.
  func keepsPlace(_ addition: RowDifference.Addition) throws -> Bool {
    let new = addition.row
    // A row that moved is in both lists, so it cannot replace another one.
    guard let old = addition.replaced?.row, !removed.contains(new), !added.contains(old) else {
      return false
    }
    for values in sort {
      guard try values.value(at: old).isSame(as: values.value(at: new)) else { return false }
    }
    if let section {
      guard try section.written(at: old).isSame(as: section.written(at: new)) else { return false }
    }
    guard let predicate else { return true }
    return try predicate.holds(on: rows.object(at: old))
      == predicate.holds(on: rows.object(at: new))
  }
}

extension Value {
  /// Whether two values are equal and written alike.
  fileprivate func isSame(as other: Value) -> Bool { self == other && isWritten(like: other) }
}

extension RowDifference.Addition {
  /// The same addition after a position in the old order.
  fileprivate func after(_ position: Int) -> RowDifference.Addition {
    RowDifference.Addition(
      row: row, position: self.position, anchor: max(anchor, position), replaced: replaced)
  }
}
