/// Matches lines of output with expected lines. A `#...` matches any number of lines.
struct BlockMatcher {
  /// The lines between two `#...`.
  private let blocks: [ArraySlice<ExpectedLine>]
  private let actual: [String]
  private(set) var captures: Captures
  private let capturesAnything: Bool
  /// The number of block positions left to try. It limits the search with captures, which tries all
  /// combinations of positions.
  private var budget = 1_000_000

  init(_ expected: [ExpectedLine], _ actual: [String], captures: Captures) {
    blocks = expected.split(omittingEmptySubsequences: false, whereSeparator: \.isAnyLines)
    self.actual = actual
    self.captures = captures
    capturesAnything = expected.contains {
      if case .pattern(let pattern) = $0.kind { !pattern.captures.isEmpty } else { false }
    }
  }

  /// Whether all lines match; ``captures`` then includes those of the matched lines.
  /// - Complexity: O(expected × actual), O(actual) without `#...`.
  mutating func matches() -> Bool {
    guard let first = blocks.first, let last = blocks.last else { return actual.isEmpty }
    let needed = blocks.reduce(0) { $0 + $1.count }
    guard blocks.count > 1 ? needed <= actual.count : needed == actual.count else {
      return false
    }
    guard matches(first, at: 0) else { return false }
    if blocks.count == 1 { return true }
    return matches(block: 1, from: first.count, end: actual.count - last.count)
  }

  private mutating func matches(block index: Int, from start: Int, end: Int) -> Bool {
    if index == blocks.count - 1 { return start <= end && matches(blocks[index], at: end) }
    let block = blocks[index]
    var position = start
    while position + block.count <= end {
      budget -= 1
      let saved = captures
      if matches(block, at: position) {
        if matches(block: index + 1, from: position + block.count, end: end) { return true }
        // Without captures, if the later blocks do not match after the first position, they do not
        // match after any other.
        if !capturesAnything || budget < 0 { return false }
      }
      captures = saved
      position += 1
    }
    return false
  }

  private mutating func matches(_ block: ArraySlice<ExpectedLine>, at position: Int) -> Bool {
    let saved = captures
    for (expected, line) in zip(block, actual[position...]) {
      if !expected.matches(line, &captures) {
        captures = saved
        return false
      }
    }
    return true
  }
}
