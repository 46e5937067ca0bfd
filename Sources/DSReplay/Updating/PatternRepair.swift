/// Mends a pattern so that it takes a line: texts become those of the line, holes that still fit stay.
struct PatternRepair {
  private enum Token {
    case byte(UInt8)
    case hole(LinePattern.Segment)
  }
  private let tokens: [Token]
  private let bytes: [UInt8]
  private let captures: Captures
  /// The least that must be changed from every token and position on.
  private var costs: [Int] = []

  /// What it costs to lose a hole, in bytes of text that are rewritten instead.
  private static let priceOfHole = 4
  private static let mostCells = 200_000

  /// - Returns: nil when no hole fits any longer, or the line is too long to tell.
  static func repaired(_ pattern: LinePattern, for line: String, _ captures: Captures)
    -> LinePattern?
  {
    var repair = PatternRepair(pattern, line, captures)
    guard repair.fill(), let mended = repair.pattern(), mended.numberOfHoles > 0 else { return nil }
    var matcher = LineMatcher(mended, line, captures: captures)
    return matcher.matches() ? mended : nil
  }

  private init(_ pattern: LinePattern, _ line: String, _ captures: Captures) {
    tokens = pattern.segments.flatMap { segment -> [Token] in
      if case .text(let text) = segment { text.map { .byte($0) } } else { [.hole(segment)] }
    }
    bytes = Array(line.utf8)
    self.captures = captures
  }

  private func index(_ token: Int, _ position: Int) -> Int {
    token * (bytes.count + 1) + position
  }

  private mutating func fill() -> Bool {
    guard tokens.count + 1 <= Self.mostCells / (bytes.count + 1) else { return false }
    costs = Array(repeating: 0, count: (tokens.count + 1) * (bytes.count + 1))
    for position in 0...bytes.count {
      costs[index(tokens.count, position)] = bytes.count - position
    }
    for token in tokens.indices.reversed() {
      for position in (0...bytes.count).reversed() {
        costs[index(token, position)] = choices(token, position).map(\.cost).min() ?? 0
      }
    }
    return true
  }

  private enum Choice {
    /// The token takes the bytes up to a position.
    case take(to: Int)
    /// A byte of the line that the pattern lacks.
    case insert
    /// The token is left out.
    case drop
  }

  /// What can be done at a token and a position, the best of equals first.
  private func choices(_ token: Int, _ position: Int) -> [(choice: Choice, cost: Int)] {
    var choices: [(choice: Choice, cost: Int)] = []
    var priceOfToken = 1
    switch tokens[token] {
    case .byte(let byte):
      if position < bytes.count, bytes[position] == byte {
        choices.append((.take(to: position + 1), costs[index(token + 1, position + 1)]))
      }
    case .hole(let segment):
      priceOfToken = Self.priceOfHole
      for end in ends(of: segment, from: position) {
        choices.append((.take(to: end), costs[index(token + 1, end)]))
      }
    }
    if position < bytes.count {
      choices.append((.insert, costs[index(token, position + 1)] + 1))
    }
    choices.append((.drop, costs[index(token + 1, position)] + priceOfToken))
    return choices
  }

  private func ends(of segment: LinePattern.Segment, from position: Int) -> [Int] {
    switch segment {
    case .text: return []
    case .hole(let hole, _, _): return hole.ends(in: bytes, from: position)
    case .reference(let name, _, _):
      guard let text = captures[name]?.text, bytes[position...].starts(with: text) else {
        return []
      }
      return [position + text.count]
    }
  }

  private func pattern() -> LinePattern? {
    var segments: [LinePattern.Segment] = []
    var literal: [UInt8] = []
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
    literal += bytes[position...]
    flush()
    // A hole can end inside of a character only where nothing valid would be left.
    let isText = segments.allSatisfy {
      if case .text(let text) = $0 { String(validating: text, as: UTF8.self) != nil } else { true }
    }
    return isText ? LinePattern(segments) : nil
  }
}
