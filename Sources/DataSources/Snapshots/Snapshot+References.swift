import DataTables

extension Snapshot {
  /// For each section its title, then where the rows of its objects stand in the input.
  ///
  /// - Parameter place: where a position in the input counts, when it is not there.
  /// - Complexity: O(rows), of the input too where its rows are not in their natural order.
  func references(_ place: (Int) -> Int = { $0 }) -> [[Value]] {
    guard let store = store.local else { return [] }
    let positions = inputPositions
    return (0..<store.numberOfSections).map { section in
      [store.sections.titles[section]]
        + store.rows(in: section).map { .integer(place(positions?[$0] ?? $0)) }
    }
  }

  /// For every row of the table its position in the input; nil where rows are their own positions.
  private var inputPositions: [Int: Int]? {
    guard case .rows(let rows)? = input else { return nil }
    return Dictionary(
      zip(rows.map { Int($0) }, rows.indices), uniquingKeysWith: { first, _ in first })
  }

  /// Where a row of the table stands in the input.
  /// - Complexity: O(rows of the input) where they are not in their natural order.
  func inputPosition(ofRow row: Int) -> Int {
    guard case .rows(let rows)? = input else { return row }
    return rows.firstIndex { Int($0) == row } ?? row
  }
}
