/// Which objects that are the same by their `id` are unequal.
struct RowComparison {
  private let rows: CommonRows
  private let old: SectionedContent
  private let new: SectionedContent

  init(_ rows: CommonRows, old: SectionedContent, new: SectionedContent) {
    self.rows = rows
    self.old = old
    self.new = new
  }

  /// Those of the pairs of positions whose objects are unequal.
  /// - Complexity: O(pairs * keys); rows that both contents share cost nothing.
  func changed(
    _ pairs: [(old: Int, new: Int)], cancellation: Cancellation
  ) throws -> [(old: Int, new: Int)] {
    let open = pairs.filter { !rows.isSame(old: $0.old, new: $0.new) }
    if open.isEmpty { return [] }
    if rows.tables.count == 2, open.count > 4_096, Set(old.table.keys) == Set(new.table.keys),
      let keys = RowClasses.commonKeys(of: rows.tables)
    {
      return try changed(open, keys: keys, cancellation: cancellation)
    }
    var changed: [(old: Int, new: Int)] = []
    for start in stride(from: 0, to: open.count, by: 4_096) {
      try cancellation.check()
      let batch = open[start..<min(open.count, start + 4_096)]
      let before = try old.table.objects(at: batch.map { old.order[$0.old] })
      let after = try new.table.objects(at: batch.map { new.order[$0.new] })
      for (pair, objects) in zip(batch, zip(before, after)) where objects.0 != objects.1 {
        changed.append(pair)
      }
    }
    return changed
  }

  /// By columns: no object is made.
  private func changed(
    _ pairs: [(old: Int, new: Int)], keys: [String], cancellation: Cancellation
  ) throws -> [(old: Int, new: Int)] {
    let paths = keys.map { ObjectKeyPath(key: $0) }
    for table in rows.tables { try table.decode(paths, cancellation: cancellation) }
    var isChanged = [Bool](repeating: false, count: pairs.count)
    for path in paths {
      try cancellation.check()
      let columns = try rows.tables.map { try $0.column(path, cancellation: cancellation) }
      if let texts = PairedTexts(columns) {
        for (index, pair) in pairs.enumerated()
        where texts.differ(old: Int(rows.old[pair.old]), new: Int(rows.new[pair.new])) {
          isChanged[index] = true
        }
        continue
      }
      let numbers = try ColumnClasses(columns).numbers
      let before = numbers[0]
      let after = numbers[1]
      for (index, pair) in pairs.enumerated()
      where before[Int(rows.old[pair.old])] != after[Int(rows.new[pair.new])] {
        isChanged[index] = true
      }
    }
    return zip(pairs, isChanged).filter(\.1).map(\.0)
  }
}
