extension Table {
  /// The distinct values of a key among some rows with the number of rows of each, the most frequent
  /// first, values that are equally frequent in the order of their first rows; nil if more than `limit`
  /// values differ. Among equal values, the first stands for all.
  ///
  /// - Complexity: O(rows) expected, plus decoding the column on first access.
  /// - Throws: the errors of ``column(_:cancellation:)``.
  package func valueCounts(
    of keyPath: ObjectKeyPath, in order: RowOrder, limit: Int,
    cancellation: Cancellation = Cancellation()
  ) throws -> [(value: Value, rows: Int)]? {
    let column = try column(keyPath, cancellation: cancellation)
    let classes = try ColumnClasses([column], cancellation: cancellation)
    guard let numbers = classes.numbers.first else { return nil }
    let order = order.withList
    var places = [Int](repeating: -1, count: classes.bound)
    var found: [(row: Int, rows: Int)] = []
    for position in 0..<order.count {
      let row = order[position]
      let number = Int(numbers[row])
      if places[number] < 0 {
        guard found.count < limit else { return nil }
        places[number] = found.count
        found.append((row, 0))
      }
      found[places[number]].rows += 1
    }
    let objects = try objects(at: found.map(\.row))
    let counts = zip(objects, found).map { object, found in
      (value: keyPath.evaluate(on: object), rows: found.rows)
    }
    return counts.enumerated().sorted {
      ($1.element.rows, $0.offset) < ($0.element.rows, $1.offset)
    }.map(\.element)
  }
}
