/// A regular expression for whole strings, matched in O(string × expression) in every case.
///
/// All paths through the expression are followed simultaneously, one character at a time, so that
/// no instruction runs twice for the same character (Thompson 1968). Features that do not work this
/// way are errors: backreferences, lookahead, lookbehind, atomic groups and possessive quantifiers.
/// Characters are graphemes, compared by canonical equivalence.
package struct RegularExpression: Sendable {
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

  enum Instruction: Sendable {
    /// A character that the test with a number accepts.
    case character(Int)
    case boundary(Boundary)
    /// Continues at both instructions.
    case split(Int, Int)
    case jump(Int)
    case match
  }

  /// The instructions; the last one is the match.
  let program: [Instruction]
  /// The tests of characters, which differ from each other.
  let tests: [CharacterTest]
  private let root: Node

  /// - Throws: ``RegularExpressionError``.
  package init(_ pattern: String, ignoresCase: Bool = false) throws(RegularExpressionError) {
    var parser = RegularExpressionParser(pattern.composed, ignoresCase: ignoresCase)
    let root = try parser.parse()
    var compiler = RegularExpressionCompiler()
    try compiler.append(root)
    self.init(root, compiler)
  }

  /// An expression without repetitions of sequences, of any size.
  init(_ root: Node) {
    var compiler = RegularExpressionCompiler(maxInstructions: .max)
    // Only the size of a program is an error.
    try? compiler.append(root)
    self.init(root, compiler)
  }

  private init(_ root: Node, _ compiler: RegularExpressionCompiler) {
    self.root = root
    program = compiler.program + [.match]
    tests = compiler.tests
  }

  /// A string that is part of every plain text that the expression matches (``PlainScalars``); empty
  /// if none is known.
  /// - Parameter isLowercase: whether the texts are in lowercase.
  func requiredPart(ofLowercase isLowercase: Bool) -> String {
    var parts = RequiredPart(isLowercase: isLowercase)
    parts.add(root)
    return parts.longest
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
        if case .character(let test) = program[index], tests[test].matches(characters[position]) {
          starts.append(index + 1)
        }
      }
      if starts.isEmpty { return false }
    }
    return states.contains(program.count - 1)
  }

  /// The end of each match that begins at `start`, ascending.
  ///
  /// - Parameters:
  ///   - characters: of a string in canonical composition.
  ///   - budget: the number of steps that may be taken, which is reduced by those that were taken;
  ///     without any left, longer matches are not found.
  /// - Complexity: O(characters × instructions).
  package func ends(
    in characters: [Character], from start: Int, budget: inout Int
  ) -> [Int] {
    var ends: [Int] = []
    var states = States(count: program.count)
    var starts = [0]
    for position in start...characters.count {
      states.clear()
      for start in starts { enter(start, at: position, of: characters, &states) }
      if states.contains(program.count - 1) { ends.append(position) }
      budget -= states.indexes.count
      if position == characters.count || budget < 0 { break }
      starts = []
      for index in states.indexes {
        if case .character(let test) = program[index], tests[test].matches(characters[position]) {
          starts.append(index + 1)
        }
      }
      if starts.isEmpty { break }
    }
    return ends
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
package struct RegularExpressionError: Error {
  /// One clause: `unclosed `(``.
  package let reason: String
  /// The character of the expression at which the mistake was found, counted from 0; nil if it is not
  /// at one place.
  package private(set) var position: Int?

  init(message: String, position: Int? = nil) {
    reason = message
    self.position = position
  }

  var message: String { position.map { "\(reason), near character \($0)" } ?? reason }
}
