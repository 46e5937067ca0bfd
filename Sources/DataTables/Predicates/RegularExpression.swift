/// A regular expression for whole strings, matched in O(string × expression) in every case.
///
/// All paths through the expression are followed simultaneously, one character at a time, so that
/// no instruction runs twice for the same character (Thompson 1968). Features that do not work this
/// way are errors: backreferences, lookahead, lookbehind, atomic groups and possessive quantifiers.
/// Characters are graphemes, compared by canonical equivalence.
struct RegularExpression: Sendable {
  indirect enum Node: Sendable {
    case empty
    case character(CharacterTest)
    case boundary(Boundary)
    case sequence([Node])
    case alternatives([Node])
    /// A lazy repetition prefers fewer iterations, which only matters for the text of groups.
    case repetition(Node, minimum: Int, maximum: Int?, isLazy: Bool)
    /// A group with a name.
    case group(String, Node)
  }

  enum Boundary: Sendable { case start, end, word, notWord }

  private enum Instruction: Sendable {
    case character(CharacterTest)
    case boundary(Boundary)
    /// Continues at both instructions.
    case split(Int, Int)
    case jump(Int)
    case match
  }

  /// The maximum number of instructions in a program. A program contains a repeated expression once
  /// for each repetition; no practical expression reaches this limit.
  private static let maxInstructions = 10_000

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
    guard program.count < maxInstructions else {
      throw RegularExpressionError(message: "the expression is too large")
    }
    switch node {
    case .empty: break
    case .character(let test): program.append(.character(test))
    case .boundary(let boundary): program.append(.boundary(boundary))
    case .sequence(let nodes): for node in nodes { try append(node, to: &program) }
    case .alternatives(let nodes): try append(alternatives: nodes[...], to: &program)
    case .group(_, let node): try append(node, to: &program)
    case .repetition(let node, let minimum, let maximum, _):
      for _ in 0..<minimum {
        let start = program.count
        try append(node, to: &program)
        // A repetition of an empty expression is empty.
        if program.count == start { return }
      }
      if let maximum {
        try append(optional: node, times: maximum - minimum, to: &program)
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
    var starts = [0]
    for position in 0...characters.count {
      states.clear()
      for start in starts { enter(start, at: position, of: characters, &states) }
      if position == characters.count { break }
      starts = []
      for index in states.indexes {
        if case .character(let test) = program[index], test.matches(characters[position]) {
          starts.append(index + 1)
        }
      }
      if starts.isEmpty { return false }
    }
    return states.contains(program.count - 1)
  }

  /// A set of indexes in the program, in the order of insertion.
  private struct States {
    private(set) var indexes: [Int] = []
    /// For each index, the last round in which it was inserted.
    private var marks: [Int]
    private var round = 0

    init(count: Int) { marks = [Int](repeating: 0, count: count) }

    mutating func clear() {
      indexes.removeAll(keepingCapacity: true)
      round += 1
    }

    mutating func insert(_ index: Int) -> Bool {
      if marks[index] == round { return false }
      marks[index] = round
      indexes.append(index)
      return true
    }

    func contains(_ index: Int) -> Bool { marks[index] == round }
  }

  /// Adds an instruction and all instructions that can be reached from it without reading a
  /// character.
  private func enter(
    _ start: Int, at position: Int, of characters: [Character], _ states: inout States
  ) {
    var stack = [start]
    while let index = stack.popLast() {
      guard states.insert(index) else { continue }
      switch program[index] {
      case .split(let first, let second): stack += [second, first]
      case .jump(let target): stack.append(target)
      case .boundary(let boundary):
        if boundary.isAt(position, of: characters) { stack.append(index + 1) }
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

/// The reason why a string is not a supported regular expression.
struct RegularExpressionError: Error {
  let message: String
}
