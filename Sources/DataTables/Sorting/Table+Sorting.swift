extension Table {
  /// `order` sorted by descriptors, the first of which counts most. Rows that compare the same keep
  /// their order.
  ///
  /// - Complexity: O(rows) with few distinct values, O(rows · bytes of a key) otherwise; ordering
  ///   the distinct values of a column takes O(distinct · log distinct) comparisons.
  /// - Throws: ``TableError/unknownKey(_:known:)`` when no object has one of the keys and there are
  ///   objects; what ``column(_:cancellation:)`` throws.
  public func sorted(
    _ order: RowOrder, by descriptors: [SortDescriptor], cancellation: Cancellation = Cancellation()
  ) throws -> RowOrder {
    guard count <= Int(UInt32.max) else {
      throw TableError.limit("more than \(UInt32.max) rows cannot be sorted", setting: "", at: nil)
    }
    try decode(descriptors.map(\.keyPath), cancellation: cancellation)
    var levels: [SortLevel] = []
    for descriptor in descriptors {
      let column = try column(descriptor.keyPath, cancellation: cancellation)
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
