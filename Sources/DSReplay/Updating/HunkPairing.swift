/// Pairs wrong lines with the actual lines that replace them.
enum HunkPairing {
  private static let maximumCells = 4 * PatternRepair.maximumCells

  /// - Parameters:
  ///   - missing: expected lines; those with holes are paired with the lines that keep most of the
  ///     holes.
  ///   - extra: actual lines.
  /// - Returns: all lines in order, each alone or in a pair.
  /// - Complexity: O(bytes of expected lines with holes × bytes of actual lines). If that is more
  ///   than ``maximumCells``, lines are paired by position.
  static func pairs(
    _ missing: [ExpectedLine], _ extra: [String], _ captures: Captures
  ) -> [(missing: Int?, extra: Int?)] {
    var pairs: [(missing: Int?, extra: Int?)] = []
    var start = (missing: 0, extra: 0)
    for end in anchors(missing, extra, captures) + [(missing.count, extra.count)] {
      for place in 0..<max(end.0 - start.missing, end.1 - start.extra) {
        let (row, column) = (start.missing + place, start.extra + place)
        pairs.append((row < end.0 ? row : nil, column < end.1 ? column : nil))
      }
      if end.0 < missing.count, end.1 < extra.count { pairs.append((end.0, end.1)) }
      start = (end.0 + 1, end.1 + 1)
    }
    return pairs
  }

  /// The pairs that keep holes, ascending in both indices.
  private static func anchors(
    _ missing: [ExpectedLine], _ extra: [String], _ captures: Captures
  ) -> [(Int, Int)] {
    let patterns = missing.map(\.patternWithHoles)
    let size = patterns.reduce(0) { $0 + ($1?.written(.doubled).utf8.count ?? 0) }
    let width = extra.reduce(0) { $0 + $1.utf8.count + 1 }
    let isSinglePair = missing.count == 1 && extra.count == 1
    guard size > 0, width > 0, !isSinglePair, size <= maximumCells / width else { return [] }
    let kept = patterns.map { pattern in
      extra.map { line in
        pattern.flatMap { PatternRepair.repaired($0, for: line, captures)?.kept } ?? 0
      }
    }
    return heaviest(kept)
  }

  /// The pairs with the greatest total weight, ascending in both indices.
  private static func heaviest(_ weights: [[Int]]) -> [(Int, Int)] {
    let columns = weights.first?.count ?? 0
    var best = Array(repeating: Array(repeating: 0, count: columns + 1), count: weights.count + 1)
    for row in weights.indices.reversed() {
      for column in (0..<columns).reversed() {
        best[row][column] = max(
          best[row + 1][column], best[row][column + 1],
          best[row + 1][column + 1] + weights[row][column])
      }
    }
    var pairs: [(Int, Int)] = []
    var (row, column) = (0, 0)
    while row < weights.count, column < columns {
      let weight = weights[row][column]
      if weight > 0, best[row][column] == best[row + 1][column + 1] + weight {
        pairs.append((row, column))
        row += 1
        column += 1
      } else if best[row][column] == best[row + 1][column] {
        row += 1
      } else {
        column += 1
      }
    }
    return pairs
  }
}
