extension Table {
  /// `order` sorted by descriptors, the most significant first. The sort is stable.
  ///
  /// - Complexity: O(rows) for few distinct values, O(rows · bytes of a key) otherwise; ordering
  ///   the distinct values of a column needs O(distinct · log distinct) comparisons.
  /// - Throws: ``TableError/unknownKey(_:known:)`` for a key that no object has, unless the table
  ///   is empty; ``TableError/badArgument(_:)`` for a locale that does not exist; the errors of
  ///   ``column(_:cancellation:)``.
  public func sorted(
    _ order: RowOrder, by descriptors: [SortDescriptor], cancellation: Cancellation = Cancellation()
  ) throws -> RowOrder {
    try sortedRows(order, by: descriptors, cancellation: cancellation).order
  }

  /// Sorts like ``sorted(_:by:cancellation:)``, and also returns the runs of the first key if the
  /// sort knows them.
  ///
  /// - Parameter defersOrder: whether the rows may be sorted later, when one is read. Errors are
  ///   thrown now.
  package func sortedRows(
    _ order: RowOrder, by descriptors: [SortDescriptor], defersOrder: Bool = false,
    cancellation: Cancellation = Cancellation()
  ) throws -> SortedRows {
    guard count <= Int(UInt32.max) else {
      throw TableError.limit("cannot sort more than \(UInt32.max) rows", setting: "", at: nil)
    }
    try decode(descriptors.map(\.keyPath), cancellation: cancellation)
    var levels: [SortLevel] = []
    for (index, descriptor) in descriptors.enumerated() {
      let column = try column(descriptor.keyPath, cancellation: cancellation)
      if index == 0, descriptor.list.isEmpty, case .natural = order,
        case .coded(.natural, let values) = column,
        case .texts(let texts) = values.storage
      {
        // The order of the texts is usually also the order of the rows.
        let sorted = try texts.sorted(by: descriptor, cancellation: cancellation)
        if let rows = RowOrder(
          sorted, rows: texts, by: descriptor, isOnly: descriptors.count == 1)
        {
          return SortedRows(rows, leading: LeadingRuns(texts, by: descriptor))
        }
        levels.append(
          SortLevel(.natural(texts.count), ValueRanks(sorted, of: texts.count), descriptor))
        continue
      }
      try levels.append(SortLevel(column, descriptor, cancellation: cancellation))
    }
    guard order.count > 1 else { return SortedRows(order) }
    if defersOrder, order.count <= DeferredRows.maxCount, !levels.isEmpty {
      return SortedRows(.deferred(DeferredRows(LevelRule(order: order, levels: levels))))
    }
    try MemoryLimit.check(beforeAllocating: order.count * RowOrder.bytesPerRow)
    let result = try order.sorted(by: levels, check: cancellation.check)
    guard let first = descriptors.first else { return SortedRows(result.order) }
    // Nulls that are not last would be first.
    if let keys = levels[0].numericKeys, first.direction == .ascending,
      !first.putsNullsFirst || keys[result.order[0]] != NumericColumn.null
    {
      return SortedRows(result.order, leading: LeadingRuns(first.keyPath, .keys(keys)))
    }
    guard let starts = result.starts, levels[0].ranksDetermineCodes
    else { return SortedRows(result.order) }
    return SortedRows(result.order, leading: LeadingRuns(first.keyPath, .starts(starts)))
  }
}

/// Rows to be sorted by levels.
private struct LevelRule: RowRule {
  let order: RowOrder
  let levels: [SortLevel]

  func listed() -> [UInt32] { order.computedOnce.sorted(by: levels) {}.order.listed() }
}

extension RowOrder {
  /// The rows sorted by levels, and the positions where the rank of the first level changes, or nil
  /// if they are unknown.
  /// - Parameter check: is called before each step; its errors end the sort.
  func sorted(
    by levels: [SortLevel], check: () throws -> Void
  ) rethrows -> (order: RowOrder, starts: [Int]?) {
    var result = computed
    var starts: [Int]?
    // Sort by the least significant word first: each pass is stable and keeps the earlier order.
    for word in SortWord.packed(levels).reversed() {
      try check()
      let (rows, found) = word.sortedWithStarts(result)
      result = .rows(rows)
      starts = found
    }
    // A first level with a single rank is not part of a word, so `starts` belongs to another level.
    if let bound = levels.first?.bound, bound <= 1 { starts = nil }
    return (result, starts)
  }

  /// All rows of a column with one text per row, in the order of one descriptor; nil if texts that
  /// compare the same have to be ordered by other descriptors or by their rows.
  ///
  /// - Parameter isOnly: whether `descriptor` is the only one.
  fileprivate init?(_ order: CodeOrder, rows: TextHeap, by descriptor: SortDescriptor, isOnly: Bool)
  {
    let isDescending = descriptor.direction == .descending
    let nulls = rows.nulls()
    guard order.repeats.isEmpty || isOnly && !isDescending else { return nil }
    guard nulls.count < 2 || isOnly else { return nil }
    let codes = isDescending ? order.codes.reversed() : order.codes
    if nulls.isEmpty {
      self = .rows(codes)
    } else {
      self = .rows(descriptor.putsNullsFirst ? nulls + codes : codes + nulls)
    }
  }
}
