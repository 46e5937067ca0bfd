extension Table {
  /// The number of rows whose value at a path equals that of an earlier row, and the first such value; nil
  /// if all differ. Nulls equal each other.
  ///
  /// - Complexity: O(rows) expected, plus decoding the column on first access.
  /// - Throws: the errors of ``column(_:cancellation:)``.
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
