extension Table {
  /// Rows in sections without those that do not satisfy a predicate; order and titles stay.
  ///
  /// - Parameters:
  ///   - order: the rows, which `sections` cuts.
  ///   - keepsEmpty: whether sections without rows stay.
  /// - Returns: the rows and their sections, and which of the old sections these were, ascending.
  /// - Complexity: O(rows), and for each comparison one evaluation for each distinct value of its
  ///   key. Comparisons of several keys take one for each row, those with `SELF` read the objects.
  /// - Throws: ``TableError/unknownKey(_:known:)`` when no object has one of the keys and there are
  ///   objects; ``TableError/badArgument(_:)`` for a part that is neither true nor false.
  public func filtered(
    _ order: RowOrder, in sections: Sections, by predicate: Predicate, keepsEmpty: Bool = false,
    cancellation: Cancellation = Cancellation()
  ) throws -> (order: RowOrder, sections: Sections, kept: [Int]) {
    try decode(predicate.keyPaths, cancellation: cancellation)
    let filter = PredicateFilter(table: self, cancellation: cancellation)
    let mask = try filter.mask(of: predicate, among: RowMask(order, of: count))
    var rows: [UInt32] = []
    var offsets = [0]
    var kept: [Int] = []
    for section in 0..<sections.count {
      order.append(sections.offsets[section]..<sections.offsets[section + 1], in: mask, to: &rows)
      guard keepsEmpty || rows.count > (offsets.last ?? 0) else { continue }
      offsets.append(rows.count)
      kept.append(section)
    }
    let keptSections = Sections(offsets: offsets, titles: kept.map { sections.titles[$0] })
    return (.rows(rows), keptSections, kept)
  }
}

extension Table {
  /// The first position in `order` at which the object satisfies a predicate; nil when there is none.
  /// - Throws: as ``filtered(_:in:by:keepsEmpty:cancellation:)`` does.
  public func firstPosition(
    in order: RowOrder, satisfying predicate: Predicate,
    cancellation: Cancellation = Cancellation()
  ) throws -> Int? {
    try decode(predicate.keyPaths, cancellation: cancellation)
    let filter = PredicateFilter(table: self, cancellation: cancellation)
    let mask = try filter.mask(of: predicate, among: RowMask(order, of: count))
    return (0..<order.count).first { mask.contains(order[$0]) }
  }
}

extension RowOrder {
  /// Appends the rows at some positions that are in `mask`.
  fileprivate func append(_ positions: Range<Int>, in mask: RowMask, to rows: inout [UInt32]) {
    mask.words.withUnsafeBufferPointer { words in
      forEachRow(at: positions) { _, row in
        if words[Int(row >> 6)] >> UInt64(row & 63) & 1 == 1 { rows.append(row) }
      }
    }
  }
}
