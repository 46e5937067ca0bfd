extension RowOrder {
  /// All rows of a column in which every row has a text of its own, in the order of one descriptor;
  /// nil where texts that compare the same leave the order to others, or to where rows stood.
  ///
  /// - Parameter isOnly: whether no other descriptor orders what this one leaves open.
  init?(_ order: CodeOrder, rows: TextHeap, by descriptor: SortDescriptor, isOnly: Bool) {
    let isDescending = descriptor.direction == .descending
    let nulls = rows.nulls()
    guard order.repeats.isEmpty || isOnly && !isDescending else { return nil }
    guard nulls.count < 2 || isOnly else { return nil }
    let numbers = isDescending ? order.codes.reversed() : order.codes
    if nulls.isEmpty {
      self = .rows(numbers)
    } else {
      self = .rows(descriptor.putsNullsFirst ? nulls + numbers : numbers + nulls)
    }
  }
}
