// Differences.
extension ComparedLines {
  /// The columns and keys whose values differ in an alignment of the lines; nil if other things differ,
  /// too.
  func differingKeys(_ steps: [Alignment.Step]) -> [String]? {
    var keys: [String] = []
    for case .different(let missing, let extra) in Alignment.hunks(steps) {
      for pair in pairs(missing: missing, extra: extra) {
        guard let index = pair.missing, let line = pair.extra,
          let found = differingKeys(index, line), !found.isEmpty
        else { return nil }
        keys += found.filter { !keys.contains($0) }
      }
    }
    return keys
  }

  /// The keys of two rows of tables or two lines `key: value`.
  private func differingKeys(_ expectedIndex: Int, _ actualIndex: Int) -> [String]? {
    if let old = expectedRows[expectedIndex], let new = actualRows[actualIndex] {
      guard old.row.path == new.row.path, old.columns.names == new.columns.names else {
        return nil
      }
      return differentColumns(old.row, new, at: expectedIndex).map { new.columns.names[$0] }
    }
    guard keyedLines.contains(actualIndex) else { return nil }
    let texts = [expected[expectedIndex].written, actual[actualIndex]].map { line in
      line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    }
    guard texts[0].count == 2, texts[1].count == 2, texts[0][0] == texts[1][0] else { return nil }
    return [String(texts[0][0])]
  }

  private func differentColumns(_ old: TableRow, _ new: Row, at index: Int) -> [Int] {
    new.columns.names.indices.filter { column in
      !ignoredKeys.contains(new.columns.names[column])
        && !Self.matches(old.cells[column], new.row.cells[column], at: expected[index])
    }
  }

  /// The differences of the cells of two rows: `[0, 1], name Tea: price is 3, expected 2`. Empty for other
  /// lines, and for rows that have no cell in common.
  func cellDifferences(_ expectedIndex: Int, _ actualIndex: Int) -> [String] {
    guard let old = expectedRows[expectedIndex], let new = actualRows[actualIndex],
      old.columns.names == new.columns.names
    else { return [] }
    let columns = new.columns
    let different = differentColumns(old.row, new, at: expectedIndex)
    let hasCommonCell = different.count < columns.names.count
    guard hasCommonCell || columns.names.count == 1 else { return [] }
    let known = place(of: new.row, columns, different)
    let place = known.isEmpty ? "line \(actualIndex + 1) of the output" : known
    return different.map { column in
      let (was, now) = (old.row.cells[column], new.row.cells[column])
      return "\(place): \(columns.names[column]) is \(now.isEmpty ? "empty" : now), expected "
        + (was.isEmpty ? "an empty cell" : was)
    }
  }

  /// Whether a cell matches the text of a line with or without holes.
  private static func matches(_ expected: String, _ cell: String, at line: ExpectedLine) -> Bool {
    guard let pattern = line.patternWithHoles else { return expected.hasBytes(of: cell) }
    let names = Set(pattern.references + pattern.captures)
    guard let parsed = try? LinePattern(parsing: expected, .doubled, known: names) else {
      return false
    }
    return ExpectedLine(kind: .pattern(parsed)).mayMatch(cell, Captures())
  }

  /// The index path of a row, and the value of its first column that is the same in both rows:
  /// `[0, 1], name Tea`.
  private func place(
    of row: TableRow, _ columns: TableColumns, _ different: [Int]
  ) -> String {
    // The first columns may be the index path.
    let first = row.path != nil && columns.names.first == "section" ? [] : [0]
    let names = ["id", "name"].compactMap { columns.names.firstIndex(of: $0) } + first
    let name = names.first {
      !different.contains($0) && !ignoredKeys.contains(columns.names[$0])
    }
    let named = name.flatMap { column in
      row.cells[column].isEmpty ? nil : "\(columns.names[column]) \(row.cells[column])"
    }
    return [row.path, named].compactMap { $0 }.joined(separator: ", ")
  }

  /// Pairs differing lines: by their places if they are as many, otherwise rows with the same index
  /// path or the same first cell.
  func pairs(missing: [Int], extra: [Int]) -> [(missing: Int?, extra: Int?)] {
    if missing.count == extra.count { return zip(missing, extra).map { ($0, $1) } }
    let keys = missing.map { expectedRows[$0].map(Self.key) ?? nil }
    guard keys.contains(where: { $0 != nil }) else {
      return (0..<max(missing.count, extra.count)).map { place in
        (
          place < missing.count ? missing[place] : nil, place < extra.count ? extra[place] : nil
        )
      }
    }
    var places: [String: Int] = [:]
    for (place, index) in extra.enumerated().reversed() {
      if let key = actualRows[index].map(Self.key) { places[key] = place }
    }
    var pairs: [(missing: Int?, extra: Int?)] = []
    var next = 0
    for (index, key) in zip(missing, keys) {
      guard let key, let place = places[key], place >= next else {
        pairs.append((index, nil))
        continue
      }
      pairs += extra[next..<place].map { (nil, $0) } + [(index, extra[place])]
      next = place + 1
    }
    return pairs + extra[next...].map { (nil, $0) }
  }

  private static func key(_ row: Row) -> String { row.row.path ?? row.row.cells.first ?? "" }
}
