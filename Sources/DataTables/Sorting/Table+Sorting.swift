extension Table {
  /// `order` sorted by descriptors, the first of which counts most. Rows that compare the same keep
  /// their order.
  ///
  /// - Complexity: O(rows) with few distinct values, O(rows · bytes of a key) otherwise; ordering
  ///   the distinct values of a column takes O(distinct · log distinct) comparisons.
  /// - Throws: ``TableError/unknownKey(_:known:)`` when no object has one of the keys and there are
  ///   objects; ``TableError/badArgument(_:)`` for a locale that does not exist; what ``column(_:cancellation:)`` throws.
  public func sorted(
    _ order: RowOrder, by descriptors: [SortDescriptor], cancellation: Cancellation = Cancellation()
  ) throws -> RowOrder {
    guard count <= Int(UInt32.max) else {
      throw TableError.limit("more than \(UInt32.max) rows cannot be sorted", setting: "", at: nil)
    }
    try decode(descriptors.map(\.keyPath), cancellation: cancellation)
    var levels: [SortLevel] = []
    for (place, descriptor) in descriptors.enumerated() {
      let column = try column(descriptor.keyPath, cancellation: cancellation)
      if place == 0, case .natural = order, case .coded(.natural, let values) = column,
        case .texts(let texts) = values.storage
      {
        // The order of the texts mostly is that of the rows.
        let sorted = try texts.sorted(by: descriptor, cancellation: cancellation)
        if let rows = RowOrder(
          sorted, rows: texts, by: descriptor, isOnly: descriptors.count == 1)
        {
          return rows
        }
        levels.append(
          SortLevel(.natural(texts.count), ValueRanks(sorted, of: texts.count), descriptor))
        continue
      }
      try levels.append(SortLevel(column, descriptor, cancellation: cancellation))
    }
    guard order.count > 1 else { return order }
    // The least significant word first: every pass is stable.
    var result = order
    for word in SortWord.packed(levels).reversed() {
      try cancellation.check()
      result = .rows(word.sorted(result))
    }
    return result
  }
}
