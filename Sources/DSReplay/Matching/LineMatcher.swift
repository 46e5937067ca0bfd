/// The texts that named holes matched.
struct Captures: Sendable {
  struct Capture: Sendable {
    let text: [UInt8]
    /// The tolerance for a later number; nil if a reference matches only the same text or number.
    let tolerance: Double?
    /// Whether a reference matches the same number with other separators of thousands.
    let isNumber: Bool
  }
  private var byName: [String: Capture] = [:]
  /// The holes that capture names, by the names.
  private let holes: [String: Hole]
  /// The reasons why names have no values: the lines that capture them did not run, or their failures
  /// are not reported.
  private var absences: [String: String] = [:]

  /// - Parameter holes: the holes that capture names, by the names.
  init(holes: [String: Hole] = [:]) { self.holes = holes }

  subscript(name: String) -> Capture? {
    get { byName[name] }
    set {
      byName[name] = newValue
      absences[name] = nil
    }
  }

  /// The reason why a name has no value; nil if it has one, or if the failure of the line that captures
  /// it is reported.
  func absence(of name: String) -> String? { absences[name] }

  /// Forgets the names that a command captures, because it does not run.
  mutating func leaveOut(_ command: ReplayCommand, reason: String) {
    for expectation in command.expectations {
      for name in expectation.pattern?.captures ?? [] {
        byName[name] = nil
        setAbsence(of: name, expectation, "did not run: \(reason)")
      }
    }
  }

  /// Notes the names that a command has not captured, because it failed, and its failure is not one of
  /// the test.
  mutating func noteMissing(_ command: ReplayCommand) {
    for expectation in command.expectations {
      for name in expectation.pattern?.captures ?? [] where byName[name] == nil {
        setAbsence(of: name, expectation, "failed")
      }
    }
  }

  private mutating func setAbsence(of name: String, _ expectation: Expectation, _ reason: String) {
    absences[name] =
      "{\(name)} has no value: line \(expectation.line), which captures it, \(reason)"
  }

  /// The end of each text that begins at `start` and that a reference to `name` matches.
  func ends(of name: String, _ tolerance: Double?, in bytes: [UInt8], from start: Int) -> [Int] {
    guard let capture = byName[name] else {
      if absences[name] != nil { return [] }
      // The failure of the line that should capture the name is reported.
      return (holes[name] ?? .anything).ends(in: bytes, from: start)
    }
    if let tolerance = tolerance ?? capture.tolerance,
      let number = Hole.value(of: capture.text[...])
    {
      return Hole.near(number, tolerance: tolerance).ends(in: bytes, from: start)
    }
    if capture.isNumber {
      let digits = capture.text.filter { $0 != Self.separator }
      return Hole.number(tolerance: nil).ends(in: bytes, from: start).filter { end in
        bytes[start..<end].lazy.filter { $0 != Self.separator }.elementsEqual(digits)
      }
    }
    return bytes[start...].starts(with: capture.text) ? [start + capture.text.count] : []
  }

  private static let separator = UInt8(ascii: ",")
}

/// Matches a line with a pattern by backtracking over the ends of its holes.
///
/// A named hole captures the text of the first successful match: the shortest for `{*}`, the
/// longest for all others.
struct LineMatcher {
  private let segments: [LinePattern.Segment]
  private let bytes: [UInt8]
  /// nil for a pattern without regular expressions.
  private let characters: LineCharacters?
  private(set) var captures: Captures
  /// Pairs of segment and position that cannot lead to a match, so that many holes cost at most
  /// segments × bytes.
  private var deadEnds: Set<Int> = []
  /// For each segment that is a `{*}`, the lowest position from which the rest of the pattern does
  /// not match. Later positions fail too.
  private var deadEndsOfAnything: [Int]
  /// The number of bytes that matched, up to the first `{*}`; the caret is below the next character.
  private(set) var commonBytes = 0
  private let firstAnything: Int
  /// Whether the line refers to its own captures. Dead ends of such a line depend on the captures
  /// and are not stored.
  private let refersToItself: Bool
  /// The number of steps left for a line that refers to its own captures.
  private var budget = 200_000

  init(_ pattern: LinePattern, _ line: String, captures: Captures) {
    segments = pattern.segments
    bytes = Array(line.utf8)
    characters = pattern.hasExpressions ? LineCharacters(bytes) : nil
    self.captures = captures
    deadEndsOfAnything = Array(repeating: .max, count: segments.count)
    let names = pattern.captures
    refersToItself = pattern.references.contains(where: names.contains)
    firstAnything =
      segments.firstIndex { segment in
        switch segment {
        case .hole(let hole, _, _): hole == .anything
        case .reference(let name, _, _):
          captures[name] == nil && captures.absence(of: name) == nil && !names.contains(name)
        case .text: false
        }
      } ?? segments.count
  }

  /// Whether the pattern matches the whole line; ``captures`` then includes those of the line.
  mutating func matches() -> Bool { matches(segment: 0, from: 0) }

  private mutating func matches(segment: Int, from position: Int) -> Bool {
    guard segment < segments.count else { return position == bytes.count }
    if segment <= firstAnything { commonBytes = max(commonBytes, position) }
    let state = segment &* (bytes.count + 1) &+ position
    if deadEnds.contains(state) || budget == 0 { return false }
    if refersToItself { budget -= 1 }
    let found = search(segment: segment, from: position)
    if !found, !refersToItself { deadEnds.insert(state) }
    return found
  }

  private mutating func search(segment: Int, from position: Int) -> Bool {
    switch segments[segment] {
    case .text(let text):
      let common = commonBytes(of: text, at: position)
      if segment <= firstAnything { commonBytes = max(commonBytes, position + common) }
      return common == text.count && matches(segment: segment + 1, from: position + common)
    case .reference(let name, let tolerance, _):
      for end in captures.ends(of: name, tolerance, in: bytes, from: position)
      where matches(segment: segment + 1, from: end) {
        return true
      }
      return false
    case .hole(let hole, let name, _):
      if hole == .anything, name == nil, segment + 1 == segments.count { return true }
      if hole == .anything, position >= deadEndsOfAnything[segment] { return false }
      for end in ends(of: hole, from: position) {
        let saved = captures
        if let name { captures[name] = capture(position..<end, of: hole) }
        if matches(segment: segment + 1, from: end) { return true }
        captures = saved
      }
      if !refersToItself { deadEndsOfAnything[segment] = position }
      return false
    }
  }

  private func ends(of hole: Hole, from position: Int) -> [Int] {
    guard case .expression(let expression) = hole, let characters else {
      return hole.ends(in: bytes, from: position)
    }
    return characters.ends(of: expression, from: position)
  }

  /// The length of the common prefix of a text and the line from a position on.
  private func commonBytes(of text: [UInt8], at position: Int) -> Int {
    let maximum = min(text.count, bytes.count - position)
    var count = 0
    while count < maximum, text[count] == bytes[position + count] { count += 1 }
    return count
  }

  private func capture(_ range: Range<Int>, of hole: Hole) -> Captures.Capture {
    var tolerance: Double?
    var isNumber = hole == .integer
    if case .number(let some) = hole { (tolerance, isNumber) = (some, true) }
    return Captures.Capture(text: Array(bytes[range]), tolerance: tolerance, isNumber: isNumber)
  }
}
