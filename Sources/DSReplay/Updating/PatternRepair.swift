/// Repairs a pattern so that it matches a line: text from the line replaces its text, and holes that
/// still match are kept.
struct PatternRepair {
  private enum Token {
    case byte(UInt8)
    case hole(LinePattern.Segment)

    /// The cost of removing it, in bytes of rewritten text.
    var removalCost: Int32 { if case .byte = self { 1 } else { 4 } }
  }
  private var tokens: [Token]
  private var bytes: [UInt8]
  /// nil for a pattern without regular expressions.
  private var characters: LineCharacters?
  /// The common text at both ends, for long lines.
  private var head: [UInt8] = []
  private var tail: [UInt8] = []
  private let captures: Captures
  /// The lowest cost from each token and position to the end.
  private var costs: [Int32] = []

  /// The maximum number of cells for one line: enough for a pattern and a line that differ in 1,000
  /// bytes.
  static let maximumCells = 1_000_000
  /// The maximum number of cells for a line after the budget of an output is used up. A line that
  /// needs more cells is trimmed first.
  static let maximumCellsPerLine = 200_000

  /// The maximum length of a line whose pattern has a regular expression, which is matched at each of
  /// its bytes.
  private static let maximumBytesOfExpressions = 2_000

  struct Repaired {
    let pattern: LinePattern
    /// The amount of the old pattern that is kept, at least 1.
    let kept: Int
  }

  /// - Parameter maximum: the maximum number of cells.
  /// - Returns: nil if no hole can be kept, or the line is too long.
  /// - Complexity: O(bytes of the pattern × bytes of the line).
  static func repaired(
    _ pattern: LinePattern, for line: String, _ captures: Captures,
    within maximum: Int = maximumCells
  ) -> Repaired? {
    var repair = PatternRepair(pattern, line, captures)
    guard repair.fill(within: maximum), let result = repair.pattern(), result.numberOfHoles > 0
    else {
      return nil
    }
    var matcher = LineMatcher(result, line, captures: captures)
    guard matcher.matches() else { return nil }
    let removalCost = repair.tokens.reduce(0) { $0 + $1.removalCost }
    let kept = removalCost - repair.costs[0] + Int32(repair.head.count + repair.tail.count)
    return Repaired(pattern: result, kept: max(1, Int(kept)))
  }

  private init(_ pattern: LinePattern, _ line: String, _ captures: Captures) {
    tokens = pattern.segments.flatMap { segment -> [Token] in
      if case .text(let text) = segment { text.map { .byte($0) } } else { [.hole(segment)] }
    }
    bytes = Array(line.utf8)
    self.captures = captures
    if !needs(atMost: Self.maximumCellsPerLine) { trim() }
    if pattern.hasExpressions { characters = LineCharacters(bytes) }
  }

  private func needs(atMost cells: Int) -> Bool {
    tokens.count + 1 <= cells / (bytes.count + 1)
  }

  /// Matching text at both ends needs no cells.
  private mutating func trim() {
    let common = zip(tokens, bytes).prefix(while: Self.isSame).count
    head = Array(bytes.prefix(common))
    tokens.removeFirst(common)
    bytes.removeFirst(common)
    let commonEnd = zip(tokens.reversed(), bytes.reversed()).prefix(while: Self.isSame).count
    tail = Array(bytes.suffix(commonEnd))
    tokens.removeLast(commonEnd)
    bytes.removeLast(commonEnd)
  }

  private static func isSame(_ token: Token, _ byte: UInt8) -> Bool {
    if case .byte(byte) = token { true } else { false }
  }

  private func index(_ token: Int, _ position: Int) -> Int {
    token * (bytes.count + 1) + position
  }

  private mutating func fill(within maximum: Int) -> Bool {
    guard needs(atMost: maximum),
      characters == nil || bytes.count <= Self.maximumBytesOfExpressions
    else { return false }
    costs = Array(repeating: 0, count: (tokens.count + 1) * (bytes.count + 1))
    for position in 0...bytes.count {
      costs[index(tokens.count, position)] = Int32(bytes.count - position)
    }
    for token in tokens.indices.reversed() {
      if case .byte(let byte) = tokens[token] {
        fill(token, of: byte)
      } else {
        for position in (0...bytes.count).reversed() {
          costs[index(token, position)] = lowestCost(token, position)
        }
      }
    }
    return true
  }

  /// Most tokens are bytes of text, so this loop takes most of the time.
  private mutating func fill(_ token: Int, of byte: UInt8) {
    let row = index(token, 0)
    let next = index(token + 1, 0)
    costs.withUnsafeMutableBufferPointer { costs in
      var lowest = costs[next + bytes.count] + 1
      costs[row + bytes.count] = lowest
      var position = bytes.count
      while position > 0 {
        position -= 1
        let dropped = costs[next + position]
        if dropped < lowest { lowest = dropped }
        lowest += 1
        if bytes[position] == byte, costs[next + position + 1] < lowest {
          lowest = costs[next + position + 1]
        }
        costs[row + position] = lowest
      }
    }
  }

  /// The cost of the cheapest of ``choices(_:_:)`` for a hole, without building the list.
  private func lowestCost(_ token: Int, _ position: Int) -> Int32 {
    var lowest = costs[index(token + 1, position)] + tokens[token].removalCost
    guard case .hole(let segment) = tokens[token] else { return lowest }
    if case .hole(.anything, _, _) = segment {
      // `{*}` matches nothing, or one byte and then again any text.
      lowest = costs[index(token + 1, position)]
      return position < bytes.count ? min(lowest, costs[index(token, position + 1)]) : lowest
    }
    for end in ends(of: segment, from: position) {
      lowest = min(lowest, costs[index(token + 1, end)])
    }
    if position < bytes.count { lowest = min(lowest, costs[index(token, position + 1)] + 1) }
    return lowest
  }

  private enum Choice {
    /// The token matches the bytes up to a position.
    case take(to: Int)
    /// A byte of the line that the pattern lacks is inserted.
    case insert
    /// The token is removed.
    case drop
  }

  /// The possible steps at a token and a position. Among steps of equal cost, the preferred step is
  /// first.
  private func choices(_ token: Int, _ position: Int) -> [(choice: Choice, cost: Int32)] {
    var choices: [(choice: Choice, cost: Int32)] = []
    switch tokens[token] {
    case .byte(let byte):
      if position < bytes.count, bytes[position] == byte {
        choices.append((.take(to: position + 1), costs[index(token + 1, position + 1)]))
      }
    case .hole(let segment):
      for end in ends(of: segment, from: position) {
        choices.append((.take(to: end), costs[index(token + 1, end)]))
      }
    }
    if position < bytes.count {
      choices.append((.insert, costs[index(token, position + 1)] + 1))
    }
    choices.append((.drop, costs[index(token + 1, position)] + tokens[token].removalCost))
    return choices
  }

  private func ends(of segment: LinePattern.Segment, from position: Int) -> [Int] {
    switch segment {
    case .text: []
    case .hole(.expression(let expression), _, _):
      characters?.ends(of: expression, from: position) ?? []
    case .hole(let hole, _, _): hole.ends(in: bytes, from: position)
    // The capture is lost: actual text replaces the reference.
    case .reference(let name, _, _) where captures[name] == nil: []
    case .reference(let name, let tolerance, _):
      captures.ends(of: name, tolerance, in: bytes, from: position)
    }
  }

  private func pattern() -> LinePattern? {
    var segments: [LinePattern.Segment] = []
    var literal = head
    var token = 0
    var position = 0
    func flush() {
      if !literal.isEmpty { segments.append(.text(literal)) }
      literal = []
    }
    while token < tokens.count {
      let cost = costs[index(token, position)]
      guard let best = choices(token, position).first(where: { $0.cost == cost }) else {
        return nil
      }
      switch best.choice {
      case .take(let end):
        if case .hole(let segment) = tokens[token] {
          flush()
          segments.append(segment)
        } else {
          literal.append(bytes[position])
        }
        position = end
        token += 1
      case .insert:
        literal.append(bytes[position])
        position += 1
      case .drop: token += 1
      }
    }
    literal += bytes[position...] + tail
    flush()
    // A hole can end inside a character only if the rest is not valid UTF-8.
    let isText = segments.allSatisfy {
      if case .text(let text) = $0 { String(validating: text, as: UTF8.self) != nil } else { true }
    }
    return isText ? LinePattern(segments) : nil
  }
}
