/// Compares the old and the new object of each pair of positions with equal `id`s.
struct RowComparison {
  private let rows: CommonRows
  private let old: SectionedTable
  private let new: SectionedTable

  init(_ rows: CommonRows, old: SectionedTable, new: SectionedTable) {
    self.rows = rows
    self.old = old
    self.new = new
  }

  /// For each old position, whether its object is in the new content and differs there; nil if none
  /// does.
  /// - Complexity: O(pairs · keys); rows that the old and the new content share cost nothing.
  func changed(_ pairing: ObjectPairing, cancellation: Cancellation) throws -> [Bool]? {
    var pairs: [(old: Int, new: Int)] = []
    for (position, other) in pairing.newPositions.enumerated()
    where other >= 0 && !rows.isSame(old: position, new: other) {
      pairs.append((position, other))
    }
    if pairs.isEmpty { return nil }
    var isChanged = [Bool](repeating: false, count: pairing.newPositions.count)
    if rows.tables.count == 2, pairs.count > 4_096, Set(old.table.keys) == Set(new.table.keys),
      let keys = RowClasses.commonKeys(of: rows.tables)
    {
      try mark(pairs, keys: keys, in: &isChanged, cancellation: cancellation)
      return isChanged
    }
    for start in stride(from: 0, to: pairs.count, by: 4_096) {
      try cancellation.check()
      let batch = pairs[start..<min(pairs.count, start + 4_096)]
      let before = try old.table.objects(at: batch.map { old.order[$0.old] })
      let after = try new.table.objects(at: batch.map { new.order[$0.new] })
      for (pair, objects) in zip(batch, zip(before, after)) where objects.0 != objects.1 {
        isChanged[pair.old] = true
      }
    }
    return isChanged
  }

  /// Compares column by column, without creating objects.
  private func mark(
    _ pairs: [(old: Int, new: Int)], keys: [String], in isChanged: inout [Bool],
    cancellation: Cancellation
  ) throws {
    let pairs = inOrderOfRows(pairs)
    let paths = keys.map { ObjectKeyPath(key: $0) }
    for table in rows.tables { try table.decode(paths, cancellation: cancellation) }
    for path in paths {
      try cancellation.check()
      let columns = try rows.tables.map { try $0.column(path, cancellation: cancellation) }
      if let texts = PairedTexts(columns) {
        Self.mark(pairs, in: &isChanged) { texts.differ(old: Int($0.old), new: Int($0.new)) }
        continue
      }
      // Keys of one kind are equal if and only if their values are, so that they need no hashing.
      if case .keyed(let before) = columns[0], case .keyed(let after) = columns[1],
        before.kind == after.kind
      {
        Self.mark(pairs, in: &isChanged) { before.keys[Int($0.old)] != after.keys[Int($0.new)] }
        continue
      }
      let numbers = try ColumnClasses(columns, cancellation: cancellation).numbers
      let before = numbers[0]
      let after = numbers[1]
      Self.mark(pairs, in: &isChanged) { before[Int($0.old)] != after[Int($0.new)] }
    }
  }

  /// The rows of a pair of positions.
  private struct RowPair {
    let old: UInt32
    let new: UInt32
    /// The old position.
    let position: UInt32
  }

  /// The rows of pairs in the order of the old table, in which columns are read fastest.
  private func inOrderOfRows(_ pairs: [(old: Int, new: Int)]) -> [RowPair] {
    let all = pairs.map {
      RowPair(
        old: rows.old[$0.old], new: rows.new[$0.new],
        position: UInt32(truncatingIfNeeded: $0.old))
    }
    if zip(all, all.dropFirst()).allSatisfy({ $0.old < $1.old }) { return all }
    var pairOfRow = [UInt32](repeating: .max, count: old.table.count)
    for (index, pair) in all.enumerated() {
      pairOfRow[Int(pair.old)] = UInt32(truncatingIfNeeded: index)
    }
    return pairOfRow.lazy.filter { $0 != .max }.map { all[Int($0)] }
  }

  @inline(__always)
  private static func mark(
    _ pairs: [RowPair], in isChanged: inout [Bool], where differ: (RowPair) -> Bool
  ) {
    isChanged.withUnsafeMutableBufferPointer { isChanged in
      let marks = isChanged
      // Each position occurs once, so the parts write to different places.
      Parallel.forEachPart(of: pairs.count) { _, range in
        for index in range where differ(pairs[index]) { marks[Int(pairs[index].position)] = true }
      }
    }
  }
}

/// Two columns of mostly distinct strings, compared by pairs of rows. Comparing bytes decides
/// nearly all pairs without hashing.
struct PairedTexts {
  private let oldCodes: RowCodes
  private let newCodes: RowCodes
  private let oldTexts: TextHeap
  private let newTexts: TextHeap

  /// nil unless there are two columns that both store their strings as bytes.
  init?(_ columns: [KeyColumn]) {
    guard columns.count == 2,
      case .coded(let oldCodes, let oldValues) = columns[0],
      case .coded(let newCodes, let newValues) = columns[1],
      case .texts(let oldTexts) = oldValues.storage, case .texts(let newTexts) = newValues.storage
    else { return nil }
    self.oldCodes = oldCodes
    self.newCodes = newCodes
    self.oldTexts = oldTexts
    self.newTexts = newTexts
  }

  /// Whether the values of two rows are unequal.
  /// - Complexity: O(bytes); strings are created only for texts whose bytes differ.
  func differ(old: Int, new: Int) -> Bool {
    let (oldBlock, oldIndex) = oldTexts.place(of: oldCodes[old])
    let (newBlock, newIndex) = newTexts.place(of: newCodes[new])
    let isNull = oldBlock.isNull(oldIndex)
    if isNull || newBlock.isNull(newIndex) { return isNull != newBlock.isNull(newIndex) }
    let before = oldBlock.text(oldIndex)
    let after = newBlock.text(newIndex)
    if before.count == after.count, before.byteOrder(after) == .same { return false }
    // Strings with different bytes can be canonically equivalent.
    return String(decoding: before, as: UTF8.self) != String(decoding: after, as: UTF8.self)
  }
}
