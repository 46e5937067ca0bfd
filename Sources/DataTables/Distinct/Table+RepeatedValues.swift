extension Table {
  /// How many of some rows have a value under a path that an earlier one of them has, and the first
  /// such value; nil when all differ. Nulls equal each other.
  ///
  /// - Complexity: O(rows) expected; the column is decoded when it was not.
  /// - Throws: what ``column(_:cancellation:)`` throws.
  package func repeatedValues(
    of path: ObjectKeyPath, in order: RowOrder, cancellation: Cancellation = Cancellation()
  ) throws -> (rows: Int, first: Value)? {
    let classes = try ColumnClasses([column(path, cancellation: cancellation)])
    guard let numbers = classes.numbers.first else { return nil }
    var isMet = [Bool](repeating: false, count: classes.bound)
    var rows = 0
    var first: Int?
    for position in 0..<order.count {
      let row = order[position]
      let number = Int(numbers[row])
      if isMet[number] {
        rows += 1
        first = first ?? row
      }
      isMet[number] = true
    }
    return try first.map { (rows, path.evaluate(on: try object(at: $0))) }
  }
}
