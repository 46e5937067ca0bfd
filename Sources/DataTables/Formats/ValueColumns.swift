/// The types of the keys of rows in memory whose values have types already.
package struct ValueColumns {
  private var keys: [String] = []
  private var tallies: [JSONTally] = []
  private var places: [String: Int] = [:]

  package init(_ rows: [Value]) {
    var last: Record.Shape?
    var current: [Int] = []
    for (row, value) in rows.enumerated() {
      guard case .record(let record) = value else { continue }
      // Neighboring records mostly share their shape.
      if last?.storage !== record.shape.storage {
        last = record.shape
        current = record.keys.map { place(of: $0) }
      }
      for (place, value) in zip(current, record.values) {
        if let kind = JSONTally.kind(of: value) { tallies[place].add(kind, at: row) }
      }
    }
  }

  private mutating func place(of key: String) -> Int {
    if let place = places[key] { return place }
    places[key] = keys.count
    keys.append(key)
    tallies.append(JSONTally())
    return keys.count - 1
  }

  /// One report for each key, in the order of first appearance.
  /// - Parameters:
  ///   - rows: the number of rows.
  ///   - lines: the line of each row; without lines, the reports have no evidence.
  package func reports(rows: Int, lines: [Int]) -> [ColumnReport] {
    zip(keys, tallies).map { key, tally in
      ColumnReport(
        key: key, type: tally.type, isExact: true,
        evidence: lines.count == rows ? tally.evidence(rows: rows) { lines[$0] } : nil)
    }
  }
}
