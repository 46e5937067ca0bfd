/// Pairs expected lines with lines of output wherever these stand (`unordered`).
struct UnorderedMatcher {
  /// For each expected line the position of the line that is its own; nil where there is none.
  private(set) var partners: [Int?]
  /// The positions of lines that nothing expects, ascending; none when `#...` takes them.
  private(set) var extras: [Int] = []
  private(set) var captures: Captures

  private let expected: [ExpectedLine]
  private let actual: [String]
  private var owners: [Int: Int] = [:]

  init(_ expected: [ExpectedLine], _ actual: [String], captures: Captures) {
    self.expected = expected
    self.actual = actual
    self.captures = captures
    partners = Array(repeating: nil, count: expected.count)
    pairTexts()
    for index in expected.indices {
      guard case .pattern = expected[index].kind else { continue }
      var seen: Set<Int> = []
      _ = findPartner(of: index, &seen)
    }
    for (index, partner) in partners.enumerated() {
      guard let partner else { continue }
      if !expected[index].takes(actual[partner], &self.captures) { partners[index] = nil }
    }
    if !expected.contains(where: \.isAnyLines) {
      let taken = Set(partners.compactMap { $0 })
      extras = actual.indices.filter { !taken.contains($0) }
    }
  }

  var isMatch: Bool {
    extras.isEmpty
      && zip(expected, partners).allSatisfy { $0.isAnyLines || $1 != nil }
  }

  /// A text takes any line that is equal, before patterns choose among what is left.
  private mutating func pairTexts() {
    var places: [[UInt8]: [Int]] = [:]
    for (position, line) in actual.enumerated().reversed() {
      places[Array(line.utf8), default: []].append(position)
    }
    for (index, line) in expected.enumerated() {
      guard case .text(let text) = line.kind,
        let position = places[Array(text.utf8)]?.popLast()
      else { continue }
      partners[index] = position
      owners[position] = -1
    }
  }

  /// Finds a line for a pattern, moving other patterns to other lines where that makes room.
  private mutating func findPartner(of index: Int, _ seen: inout Set<Int>) -> Bool {
    for position in actual.indices where owners[position] != -1 && !seen.contains(position) {
      guard expected[index].mayTake(actual[position], captures) else { continue }
      seen.insert(position)
      if let owner = owners[position], !findPartner(of: owner, &seen) { continue }
      owners[position] = index
      partners[index] = position
      return true
    }
    return false
  }
}
