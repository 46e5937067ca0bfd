extension Table {
  /// The sectioned rows that satisfy a predicate, in the same order and under the same titles.
  ///
  /// - Parameters:
  ///   - order: the rows that `sections` divides.
  ///   - keepsEmpty: whether sections without rows are kept.
  /// - Returns: the rows, their sections, and the indexes of these sections in `sections`,
  ///   ascending.
  /// - Complexity: O(rows), plus one evaluation per distinct value for each comparison of one key.
  ///   A comparison of several keys is evaluated once per row; a comparison with `SELF` reads the
  ///   objects.
  /// - Throws: ``TableError/unknownKey(_:known:)`` for a key that no object has, unless the table
  ///   is empty; ``TableError/badArgument(_:)`` for a condition that is neither true nor false.
  public func filtered(
    _ order: RowOrder, in sections: Sections, by predicate: Predicate, keepsEmpty: Bool = false,
    cancellation: Cancellation = Cancellation()
  ) throws -> (order: RowOrder, sections: Sections, kept: [Int]) {
    try decode(predicate.keyPaths, cancellation: cancellation)
    let filter = PredicateFilter(table: self, cancellation: cancellation)
    let mask = try filter.mask(of: predicate, among: RowMask(order, of: count))
    if order.ascendingBound != nil, sections.count == 1 {
      let kept = RowOrder(mask)
      guard keepsEmpty || kept.count > 0 else {
        return (kept, Sections(offsets: [0], titles: []), [])
      }
      return (kept, Sections(offsets: [0, kept.count], titles: sections.titles), [0])
    }
    var rows: [UInt32] = []
    rows.reserveCapacity(mask.population)
    var offsets = [0]
    var kept: [Int] = []
    for section in 0..<sections.count {
      order.append(sections.positions(in: section), in: mask, to: &rows)
      guard keepsEmpty || rows.count > (offsets.last ?? 0) else { continue }
      offsets.append(rows.count)
      kept.append(section)
    }
    let keptSections = Sections(offsets: offsets, titles: kept.map { sections.titles[$0] })
    return (.rows(rows), keptSections, kept)
  }

  /// The first position in `order` whose object satisfies a predicate; nil if there is none.
  /// - Throws: the errors of ``filtered(_:in:by:keepsEmpty:cancellation:)``.
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
  /// Appends the rows at `positions` that are in `mask`.
  fileprivate func append(_ positions: Range<Int>, in mask: RowMask, to rows: inout [UInt32]) {
    if case .natural = self { return mask.append(positions, to: &rows) }
    mask.words.withUnsafeBufferPointer { words in
      forEachRow(at: positions) { _, row in
        if words[Int(row >> 6)] >> UInt64(row & 63) & 1 == 1 { rows.append(row) }
      }
    }
  }
}

extension RowMask {
  /// Appends the rows of the mask in a range.
  fileprivate func append(_ range: Range<Int>, to rows: inout [UInt32]) {
    guard !range.isEmpty else { return }
    words.withUnsafeBufferPointer { words in
      for index in range.lowerBound >> 6...(range.upperBound - 1) >> 6 {
        let first = index << 6
        var word = words[index]
        if first < range.lowerBound { word &= .max << UInt64(range.lowerBound - first) }
        if range.upperBound - first < 64 { word &= ~(.max << UInt64(range.upperBound - first)) }
        while word != 0 {
          rows.append(UInt32(truncatingIfNeeded: first | word.trailingZeroBitCount))
          word &= word &- 1
        }
      }
    }
  }
}
