/// Numbers of rows that are made of the numbers of their values, a column after the other.
///
/// They are multiplied as long as they fit, so that rows are hashed once and not for each column.
struct RowNumbers {
  private var numbers: [[UInt64]]
  private var bound: UInt64 = 1

  init(rows: [Int]) { numbers = rows.map { [UInt64](repeating: 0, count: $0) } }

  mutating func combine(_ classes: ColumnClasses) {
    let factor = UInt64(classes.bound)
    if bound.multipliedReportingOverflow(by: factor).overflow { renumber() }
    for table in numbers.indices {
      let next = classes.numbers[table]
      for row in next.indices {
        numbers[table][row] = numbers[table][row] &* factor &+ UInt64(next[row])
      }
    }
    bound = bound.multipliedReportingOverflow(by: factor).partialValue
  }

  private mutating func renumber() {
    let small = small()
    numbers = small.map { $0.map { UInt64($0) } }
    bound = UInt64((small.compactMap { $0.max() }.max() ?? 0)) + 1
  }

  /// The same numbers, as small as the rows allow.
  func small() -> [[UInt32]] {
    let rows = numbers.reduce(0) { $0 + $1.count }
    if bound <= UInt64(rows) * 4 {
      return numbers.map { $0.map { UInt32(truncatingIfNeeded: $0) } }
    }
    var known = KeyNumbers(capacity: rows / 2)
    return numbers.map { numbers in numbers.map { known.number(of: $0) } }
  }
}
