/// An alignment of expected and actual lines with the fewest differing lines.
struct Alignment {
  enum Step: Equatable {
    /// An expected line and the actual line that matches it.
    case match(expected: Int, actual: Int)
    /// A `#...` and the lines it matches.
    case any(expected: Int, actual: Range<Int>)
    case missing(expected: Int)
    case extra(actual: Int)
  }
  private(set) var steps: [Step] = []
  private let expected: [ExpectedLine]
  private let actual: [String]
  private let captures: Captures

  /// The maximum size of the cost matrix. If the matrix would be larger, the lines between the common
  /// start and the common end are compared by their places.
  private static let maximumCells = 4_000_000

  /// - Complexity: O(differing expected × differing actual).
  init(_ expected: [ExpectedLine], _ actual: [String], captures: Captures) {
    self.expected = expected
    self.actual = actual
    // A reference to a capture of the same command matches anything during the alignment.
    var before = captures
    for case .pattern(let pattern) in expected.map(\.kind) {
      for name in pattern.captures { before[name] = nil }
    }
    self.captures = before
    align()
    verify(captures)
  }

  private func fits(_ index: Int, _ line: Int) -> Bool {
    !expected[index].isAnyLines && expected[index].mayMatch(actual[line], captures)
  }

  private mutating func align() {
    var start = 0
    while start < min(expected.count, actual.count), fits(start, start) {
      steps.append(.match(expected: start, actual: start))
      start += 1
    }
    var expectedEnd = expected.count
    var actualEnd = actual.count
    var tail: [Step] = []
    while expectedEnd > start, actualEnd > start, fits(expectedEnd - 1, actualEnd - 1) {
      expectedEnd -= 1
      actualEnd -= 1
      tail.append(.match(expected: expectedEnd, actual: actualEnd))
    }
    alignMiddle(start..<expectedEnd, start..<actualEnd)
    steps += tail.reversed()
  }

  private mutating func alignMiddle(_ rows: Range<Int>, _ columns: Range<Int>) {
    guard (rows.count + 1) <= Self.maximumCells / (columns.count + 1) else {
      alignByPlace(rows, columns)
      return
    }
    let costs = Costs(rows, columns, isAny: { expected[$0].isAnyLines }, fits: fits)
    var row = rows.lowerBound
    var column = columns.lowerBound
    while row < rows.upperBound || column < columns.upperBound {
      let cost = costs[row, column]
      if row < rows.upperBound, expected[row].isAnyLines {
        let first = column
        while column < columns.upperBound, costs[row + 1, column] > cost { column += 1 }
        steps.append(.any(expected: row, actual: first..<column))
        row += 1
      } else if row < rows.upperBound, column < columns.upperBound,
        costs[row + 1, column + 1] == cost, fits(row, column)
      {
        steps.append(.match(expected: row, actual: column))
        row += 1
        column += 1
      } else if row < rows.upperBound, costs[row + 1, column] + 1 == cost {
        steps.append(.missing(expected: row))
        row += 1
      } else {
        steps.append(.extra(actual: column))
        column += 1
      }
    }
  }

  /// Pairs as many lines by their places, as in a long table some of whose rows have changed; otherwise
  /// all lines differ.
  private mutating func alignByPlace(_ rows: Range<Int>, _ columns: Range<Int>) {
    guard rows.count == columns.count, !expected[rows].contains(where: \.isAnyLines) else {
      steps += rows.map { .missing(expected: $0) } + columns.map { .extra(actual: $0) }
      return
    }
    for (row, column) in zip(rows, columns) {
      steps +=
        fits(row, column)
        ? [.match(expected: row, actual: column)]
        : [.missing(expected: row), .extra(actual: column)]
    }
  }

  /// Checks each match again with the captures of the lines above it. A pair that does not match
  /// then becomes a difference.
  private mutating func verify(_ known: Captures) {
    var captures = known
    steps = steps.flatMap { step -> [Step] in
      guard case .match(let index, let line) = step,
        !expected[index].matches(actual[line], &captures)
      else { return [step] }
      return [.missing(expected: index), .extra(actual: line)]
    }
  }
}

extension Alignment {
  /// A pair of matching lines, a `#...` with its lines, or a run of differing lines.
  enum Hunk {
    case same(Step)
    case different(missing: [Int], extra: [Int])
  }

  static func hunks(_ steps: [Step]) -> [Hunk] {
    var hunks: [Hunk] = []
    var missing: [Int] = []
    var extra: [Int] = []
    func flush() {
      if missing.isEmpty && extra.isEmpty { return }
      hunks.append(.different(missing: missing, extra: extra))
      missing = []
      extra = []
    }
    for step in steps {
      switch step {
      case .missing(let index): missing.append(index)
      case .extra(let line): extra.append(line)
      case .match, .any:
        flush()
        hunks.append(.same(step))
      }
    }
    flush()
    return hunks
  }
}

/// The smallest number of differing lines from each pair of positions to the end.
private struct Costs {
  private var cells: [Int32]
  private let rows: Range<Int>
  private let columns: Range<Int>
  private let width: Int

  init(
    _ rows: Range<Int>, _ columns: Range<Int>, isAny: (Int) -> Bool, fits: (Int, Int) -> Bool
  ) {
    self.rows = rows
    self.columns = columns
    width = columns.count + 1
    cells = Array(repeating: 0, count: (rows.count + 1) * width)
    for column in columns.reversed() {
      self[rows.upperBound, column] = self[rows.upperBound, column + 1] + 1
    }
    for row in rows.reversed() {
      let isAny = isAny(row)
      self[row, columns.upperBound] = self[row + 1, columns.upperBound] + (isAny ? 0 : 1)
      for column in columns.reversed() {
        let below = self[row + 1, column]
        let right = self[row, column + 1]
        if isAny {
          self[row, column] = min(below, right)
        } else {
          let lowest = min(below, right) + 1
          let diagonal = self[row + 1, column + 1]
          self[row, column] = diagonal < lowest && fits(row, column) ? diagonal : lowest
        }
      }
    }
  }

  subscript(row: Int, column: Int) -> Int32 {
    get { cells[(row - rows.lowerBound) * width + column - columns.lowerBound] }
    set { cells[(row - rows.lowerBound) * width + column - columns.lowerBound] = newValue }
  }
}
