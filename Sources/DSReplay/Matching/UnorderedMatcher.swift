/// Pairs expected lines with lines of output in any order (`unordered`).
struct UnorderedMatcher {
  /// For each expected line, the index of its actual line; nil if it has none.
  private(set) var partners: [Int?]
  /// The indices of unexpected lines, ascending; empty if there is a `#...`.
  private(set) var extras: [Int] = []
  private(set) var captures: Captures

  private let expected: [ExpectedLine]
  private let actual: [String]
  /// Expected lines with captures. They are paired first, because other lines may refer to them.
  private let capturing: [Int]
  private let others: [Int]
  /// For each paired actual line, the index of its expected line if that is one of ``others``,
  /// which may still move to another line; -1 if the pair is final.
  private var owners: [Int: Int] = [:]
  /// The number of comparisons left to choose lines for ``capturing``.
  private var budget = 1_000_000

  init(_ expected: [ExpectedLine], _ actual: [String], captures: Captures) {
    self.expected = expected
    self.actual = actual
    self.captures = captures
    partners = Array(repeating: nil, count: expected.count)
    let patternWithHoles = expected.indices.filter { expected[$0].patternWithHoles != nil }
    capturing = patternWithHoles.filter { expected[$0].patternWithHoles?.captures.isEmpty == false }
    others = patternWithHoles.filter { expected[$0].patternWithHoles?.captures.isEmpty == true }
    pairExactLines()
    var best = self
    _ = choose(capturing[...], &best)
    partners = best.partners
    self.captures = best.captures
    if !expected.contains(where: \.isAnyLines) {
      let taken = Set(partners.compactMap { $0 })
      extras = actual.indices.filter { !taken.contains($0) }
    }
  }

  var isMatch: Bool { extras.isEmpty && hasAllPartners }

  private var hasAllPartners: Bool {
    zip(expected, partners).allSatisfy { $0.isAnyLines || $1 != nil }
  }

  private var numberOfPartners: Int { partners.count { $0 != nil } }

  /// Pairs exact lines first; patterns choose among the remaining lines.
  private mutating func pairExactLines() {
    var places: [[UInt8]: [Int]] = [:]
    for (position, line) in actual.enumerated().reversed() {
      places[Array(line.utf8), default: []].append(position)
    }
    for (index, line) in expected.enumerated() {
      guard let text = line.text, let position = places[Array(text.utf8)]?.popLast() else {
        continue
      }
      partners[index] = position
      owners[position] = -1
    }
  }

  /// Tries every matching actual line for each capturing line, in order, until all expected lines
  /// have partners.
  /// - Parameter best: the result with the most pairs so far.
  /// - Returns: whether all expected lines have partners.
  private func choose(_ capturing: ArraySlice<Int>, _ best: inout Self) -> Bool {
    guard let index = capturing.first else {
      best.budget -= expected.count * actual.count + 1
      var rest = self
      rest.pairOthers()
      if rest.numberOfPartners > best.numberOfPartners {
        rest.budget = best.budget
        best = rest
      }
      return rest.hasAllPartners
    }
    var hasChoice = false
    for position in actual.indices where owners[position] == nil && best.budget > 0 {
      var next = self
      guard expected[index].matches(actual[position], &next.captures) else { continue }
      hasChoice = true
      next.owners[position] = -1
      next.partners[index] = position
      if next.choose(capturing.dropFirst(), &best) { return true }
    }
    // No line matches this one: pair the others without it.
    return hasChoice ? false : choose(capturing.dropFirst(), &best)
  }

  private mutating func pairOthers() {
    for index in others {
      var seen: Set<Int> = []
      _ = findPartner(of: index, &seen)
    }
  }

  /// Finds a line for a pattern; moves other patterns to other lines if necessary.
  private mutating func findPartner(of index: Int, _ seen: inout Set<Int>) -> Bool {
    for position in actual.indices where owners[position] != -1 && !seen.contains(position) {
      guard expected[index].mayMatch(actual[position], captures) else { continue }
      seen.insert(position)
      if let owner = owners[position], !findPartner(of: owner, &seen) { continue }
      owners[position] = index
      partners[index] = position
      return true
    }
    return false
  }
}
