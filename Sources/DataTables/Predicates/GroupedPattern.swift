/// A regular expression with named groups for lines, such as `(?<time>\S+) (?<message>.*)`.
///
/// The notation is that of ``RegularExpression``. The expression must match the whole line.
/// Characters are Unicode scalars. Greedy quantifiers prefer more characters, lazy ones fewer, as in
/// Perl.
struct GroupedPattern: Sendable {
  enum Instruction: Sendable {
    /// A character that the test with a number accepts.
    case character(Int)
    case boundary(RegularExpression.Boundary)
    /// Continues at both instructions, preferring the first.
    case split(Int, Int)
    case jump(Int)
    /// Keeps the position in a slot: two for each group.
    case save(Int)
    case match
  }

  /// The expression as it was given.
  let text: String
  /// The names of the groups, in the order of the expression.
  private(set) var names: [String] = []
  private(set) var program: [Instruction] = []
  private(set) var tests: [CharacterTest] = []
  /// The characters as the pattern distinguishes them, which takes time to find out.
  private(set) var alphabet = PatternAlphabet([])
  /// The group that ends the pattern with `.*` or `.+`, so that it takes the rest of a line; nil if
  /// the pattern ends otherwise.
  private(set) var groupOfRest: Int?
  /// The number of each simple test.
  private var numbers: [CharacterTest: Int] = [:]

  private static let maxInstructions = 4_000
  private static let maxGroups = 1_000

  /// - Throws: ``RegularExpressionError``, also for an expression without named groups.
  init(_ text: String) throws(RegularExpressionError) {
    self.text = text
    var parser = RegularExpressionParser(text, ignoresCase: false)
    let node = try parser.parse()
    try append(node)
    program.append(.match)
    groupOfRest = node.groupOfRest.flatMap(names.firstIndex)
    alphabet = PatternAlphabet(tests)
    guard !names.isEmpty else {
      throw RegularExpressionError(
        message: "the pattern has no named group; write one as `(?<name>…)`")
    }
  }

  private mutating func append(
    _ node: RegularExpression.Node
  ) throws(RegularExpressionError) {
    guard program.count < Self.maxInstructions else {
      throw RegularExpressionError(message: "the pattern is too large")
    }
    switch node {
    case .empty: break
    case .character(let test): program.append(.character(number(of: test)))
    case .boundary(let boundary): program.append(.boundary(boundary))
    case .sequence(let nodes): for node in nodes { try append(node) }
    case .alternatives(let nodes): try append(alternatives: nodes)
    case .group(let name, let node):
      let group = try group(named: name)
      program.append(.save(group * 2))
      try append(node)
      program.append(.save(group * 2 + 1))
    case .repetition(let node, let minimum, let maximum, let isLazy):
      for _ in 0..<minimum {
        let start = program.count
        try append(node)
        // A repetition of an empty expression is empty.
        if program.count == start { return }
      }
      try append(node, upTo: maximum.map { $0 - minimum }, isLazy: isLazy)
    }
  }

  /// The number of a group; a group that is repeated has one number.
  private mutating func group(named name: String) throws(RegularExpressionError) -> Int {
    if let group = names.firstIndex(of: name) { return group }
    guard names.count < Self.maxGroups else {
      throw RegularExpressionError(message: "the pattern has more than \(Self.maxGroups) groups")
    }
    names.append(name)
    return names.count - 1
  }

  private mutating func number(of test: CharacterTest) -> Int {
    if let number = numbers[test] { return number }
    numbers[test] = tests.count
    tests.append(test)
    return tests.count - 1
  }

  private mutating func append(
    alternatives nodes: [RegularExpression.Node]
  ) throws(RegularExpressionError) {
    var jumps: [Int] = []
    for (index, node) in nodes.enumerated() {
      guard index < nodes.count - 1 else {
        try append(node)
        break
      }
      let split = program.count
      program.append(.jump(0))
      try append(node)
      jumps.append(program.count)
      program.append(.jump(0))
      program[split] = .split(split + 1, program.count)
    }
    for jump in jumps { program[jump] = .jump(program.count) }
  }

  /// - Parameter count: nil for any number of repetitions.
  private mutating func append(
    _ node: RegularExpression.Node, upTo count: Int?, isLazy: Bool
  ) throws(RegularExpressionError) {
    var splits: [Int] = []
    for _ in 0..<(count ?? 1) {
      splits.append(program.count)
      program.append(.jump(0))
      try append(node)
    }
    if count == nil, let split = splits.first { program.append(.jump(split)) }
    for split in splits {
      program[split] =
        isLazy ? .split(program.count, split + 1) : .split(split + 1, program.count)
    }
  }
}

extension RegularExpression.Node {
  /// The name of the group at the end that takes any characters.
  fileprivate var groupOfRest: String? {
    switch self {
    case .group(let name, let node): node.takesRest ? name : nil
    case .sequence(let nodes):
      nodes.last { if case .boundary(.end) = $0 { false } else { true } }?.groupOfRest
    case .empty, .character, .boundary, .alternatives, .repetition: nil
    }
  }

  /// Whether the expression ends with `.*` or `.+`.
  private var takesRest: Bool {
    switch self {
    case .repetition(.character(let test), _, nil, _): test.matchesMost
    case .sequence(let nodes): nodes.last?.takesRest ?? false
    case .empty, .character, .boundary, .alternatives, .repetition, .group: false
    }
  }
}

extension CharacterTest {
  /// Whether the test is that of a dot.
  fileprivate var matchesMost: Bool {
    guard !isNegated, kinds.count == 1 else { return false }
    return switch kinds[0] {
    case .any, .anyButLineEnd: true
    default: false
    }
  }
}
