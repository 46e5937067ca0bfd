/// The values that most rows have under a key, for suggestions.
package struct FrequentValues: Sendable {
  /// Distinct values without null, the most frequent first, at most ``maximum``.
  package private(set) var values: [(value: Value, rows: Int)] = []
  /// Whether all rows were counted, not a sample of them.
  package private(set) var isExact = true

  /// The maximum number of values.
  package static let maximum = 1_000
  /// The maximum number of rows of a column with few distinct values that are counted: enough for
  /// the order of the values, and read in about a millisecond.
  private static let maximumRows = 1 << 16
  /// The same for a column with many distinct values, which are counted by hashing.
  private static let maximumHashedRows = 1 << 12
  /// The number of distinct values that are few.
  private static let fewValues = 1 << 13

  package init() {}

  /// Counts the values of a column in some rows; if there are many, in a sample of evenly spaced rows.
  ///
  /// - Complexity: O(1): the number of counted rows is limited.
  package init(of column: KeyColumn, in order: RowOrder) {
    switch column {
    case .coded(let codes, let values) where values.count <= Self.fewValues:
      var counts = [Int](repeating: 0, count: values.count)
      isExact = Self.sample(order, atMost: Self.maximumRows) { counts[codes[$0]] += 1 }
      keep(counts.enumerated().map { ($0, $1) }) { values[$0] }
    case .coded(let codes, let values):
      var counts: [Int: Int] = [:]
      isExact = Self.sample(order, atMost: Self.maximumHashedRows) {
        counts[codes[$0], default: 0] += 1
      }
      keep(counts.map { ($0, $1) }) { values[$0] }
    case .keyed(let column):
      // Values of a number column are found by one of their rows.
      var counts: [Value: Int] = [:]
      isExact = Self.sample(order, atMost: Self.maximumHashedRows) {
        counts[column.value(of: column.keys[$0]), default: 0] += 1
      }
      let values = counts.keys.sorted { $0.ordered(before: $1) }
      keep(values.enumerated().map { ($0, counts[$1] ?? 0) }) { values[$0] }
    }
  }

  /// Counts the values at a key path in some objects; the elements, if the values are arrays.
  package init(of path: ObjectKeyPath, in objects: some Collection<Value>, isExact: Bool) {
    self.isExact = isExact
    var places: [Value: Int] = [:]
    func count(_ value: Value) {
      let place = places[value] ?? values.count
      if place == values.count {
        guard values.count < Self.maximum else { return }
        places[value] = place
        values.append((value, 0))
      }
      values[place].rows += 1
    }
    for object in objects {
      switch path.evaluate(on: object) {
      case .null: break
      case .array(let elements): for element in elements where !element.isNull { count(element) }
      case let value: count(value)
      }
    }
    sort()
  }

  /// Sorts by the counts; values that are equally frequent keep their order.
  private mutating func sort() {
    values = values.enumerated().sorted {
      ($1.element.rows, $0.offset) < ($0.element.rows, $1.offset)
    }
    .map(\.element)
  }

  /// Keeps the values with the greatest counts, in the order of their numbers among equal ones.
  /// Equal values that are written differently are counted together.
  private mutating func keep(_ counts: [(number: Int, rows: Int)], _ value: (Int) -> Value) {
    let found = counts.filter { $0.rows > 0 }.sorted { ($1.rows, $0.number) < ($0.rows, $1.number) }
    var places: [Value: Int] = [:]
    for (number, rows) in found.prefix(Self.maximum) {
      let value = value(number)
      if value.isNull { continue }
      if let place = places[value] {
        values[place].rows += rows
      } else {
        places[value] = values.count
        values.append((value, rows))
      }
    }
    // Values that are written in several ways have gained rows.
    if values.count < min(found.count, Self.maximum) { sort() }
  }

  /// Calls `body` with one row of each of as many parts of the rows as are counted.
  /// - Returns: whether these are all rows.
  private static func sample(
    _ order: RowOrder, atMost maximum: Int, _ body: (Int) -> Void
  ) -> Bool {
    let step = max(1, (order.count + maximum - 1) / maximum)
    var part: UInt64 = 0
    for start in stride(from: 0, to: order.count, by: step) {
      // At equal distances, a column whose values take turns would seem to have fewer values.
      let place = Int(truncatingIfNeeded: (part &* 0x9E37_79B9_7F4A_7C15) >> 33) % step
      body(order[min(start + place, order.count - 1)])
      part += 1
    }
    return step == 1
  }
}
