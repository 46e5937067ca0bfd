/// A regular expression for whole strings, matched in O(string × expression) in every case.
///
/// All paths through the expression are followed at once, one character at a time, so that none is
/// followed twice (Thompson 1968). Features that this excludes are errors: backreferences,
/// lookahead, lookbehind, atomic groups and possessive quantifiers. Characters are graphemes,
/// compared by canonical equivalence.
struct RegularExpression: Sendable {
  indirect enum Node: Sendable {
    case empty
    case character(CharacterTest)
    case boundary(Boundary)
    case sequence([Node])
    case alternatives([Node])
    case repetition(Node, Int, Int?)
  }

  enum Boundary: Sendable { case start, end, word, notWord }

  private enum Instruction: Sendable {
    case character(CharacterTest)
    case boundary(Boundary)
    /// Continues at both places.
    case split(Int, Int)
    case jump(Int)
    case match
  }

  /// The limit of the program's size, in which repetitions are written out. No practical expression
  /// reaches it.
  private static let mostInstructions = 10_000

  private let program: [Instruction]

  init(_ pattern: String, ignoresCase: Bool = false) throws(RegularExpressionError) {
    var parser = RegularExpressionParser(pattern.composed, ignoresCase: ignoresCase)
    var program: [Instruction] = []
    try Self.append(try parser.parse(), to: &program)
    program.append(.match)
    self.program = program
  }

  private static func append(
    _ node: Node, to program: inout [Instruction]
  ) throws(RegularExpressionError) {
    guard program.count < mostInstructions else {
      throw RegularExpressionError(message: "the expression is too large")
    }
    switch node {
    case .empty: break
    case .character(let test): program.append(.character(test))
    case .boundary(let boundary): program.append(.boundary(boundary))
    case .sequence(let nodes): for node in nodes { try append(node, to: &program) }
    case .alternatives(let nodes): try append(alternatives: nodes[...], to: &program)
    case .repetition(let node, let least, let most):
      for _ in 0..<least {
        let start = program.count
        try append(node, to: &program)
        // An empty expression repeated is empty.
        if program.count == start { return }
      }
      if let most {
        try append(optional: node, times: most - least, to: &program)
      } else {
        try append(many: node, to: &program)
      }
    }
  }

  private static func append(
    alternatives nodes: ArraySlice<Node>, to program: inout [Instruction]
  ) throws(RegularExpressionError) {
    var jumps: [Int] = []
    for (index, node) in zip(nodes.indices, nodes) {
      guard index < nodes.endIndex - 1 else {
        try append(node, to: &program)
        break
      }
      let split = program.count
      program.append(.jump(0))
      try append(node, to: &program)
      jumps.append(program.count)
      program.append(.jump(0))
      program[split] = .split(split + 1, program.count)
    }
    for jump in jumps { program[jump] = .jump(program.count) }
  }

  private static func append(
    optional node: Node, times: Int, to program: inout [Instruction]
  ) throws(RegularExpressionError) {
    var splits: [Int] = []
    for _ in 0..<times {
      splits.append(program.count)
      program.append(.jump(0))
      try append(node, to: &program)
    }
    for split in splits { program[split] = .split(split + 1, program.count) }
  }

  private static func append(
    many node: Node, to program: inout [Instruction]
  ) throws(RegularExpressionError) {
    let split = program.count
    program.append(.jump(0))
    try append(node, to: &program)
    program.append(.jump(split))
    program[split] = .split(split + 1, program.count)
  }
}

extension RegularExpression {
  /// Whether the expression matches the whole string.
  ///
  /// - Complexity: O(characters × instructions).
  func matchesWhole(_ text: String) -> Bool {
    let characters = Array(text.composed)
    var states = States(count: program.count)
    var open = [0]
    for position in 0...characters.count {
      states.clear()
      for place in open { enter(place, at: position, of: characters, &states) }
      if position == characters.count { break }
      open = []
      for place in states.places {
        if case .character(let test) = program[place], test.matches(characters[position]) {
          open.append(place + 1)
        }
      }
      if open.isEmpty { return false }
    }
    return states.contains(program.count - 1)
  }

  /// Places in the program, without repetitions.
  private struct States {
    private(set) var places: [Int] = []
    private var marks: [Int]
    private var round = 0

    init(count: Int) { marks = [Int](repeating: 0, count: count) }

    mutating func clear() {
      places.removeAll(keepingCapacity: true)
      round += 1
    }

    mutating func insert(_ place: Int) -> Bool {
      if marks[place] == round { return false }
      marks[place] = round
      places.append(place)
      return true
    }

    func contains(_ place: Int) -> Bool { marks[place] == round }
  }

  /// Adds a place and all places that can be reached from it without reading a character.
  private func enter(
    _ place: Int, at position: Int, of characters: [Character], _ states: inout States
  ) {
    var stack = [place]
    while let place = stack.popLast() {
      guard states.insert(place) else { continue }
      switch program[place] {
      case .split(let first, let second): stack += [second, first]
      case .jump(let target): stack.append(target)
      case .boundary(let boundary):
        if boundary.isAt(position, of: characters) { stack.append(place + 1) }
      case .character, .match: break
      }
    }
  }
}

extension RegularExpression.Boundary {
  fileprivate func isAt(_ position: Int, of characters: [Character]) -> Bool {
    switch self {
    case .start: position == 0
    case .end: position == characters.count
    case .word: Self.isWordBoundary(position, of: characters)
    case .notWord: !Self.isWordBoundary(position, of: characters)
    }
  }

  private static func isWordBoundary(_ position: Int, of characters: [Character]) -> Bool {
    let before = position > 0 && CharacterTest.Kind.word.matches(characters[position - 1])
    let after = position < characters.count && CharacterTest.Kind.word.matches(characters[position])
    return before != after
  }
}

/// The reason why a string is not a regular expression.
struct RegularExpressionError: Error {
  let message: String
}
