/// Writes the program of a regular expression.
struct RegularExpressionCompiler {
  private(set) var program: [RegularExpression.Instruction] = []
  private(set) var tests: [CharacterTest] = []
  private var numbers: [CharacterTest: Int] = [:]
  private let maxInstructions: Int

  /// - Parameter maxInstructions: a program contains a repeated expression once for each repetition;
  ///   no practical expression reaches the default limit.
  init(maxInstructions: Int = 10_000) { self.maxInstructions = maxInstructions }

  /// - Throws: an error if the program becomes too large.
  mutating func append(_ node: RegularExpression.Node) throws(RegularExpressionError) {
    guard program.count < maxInstructions else {
      throw RegularExpressionError(message: "the expression is too large")
    }
    switch node {
    case .empty: break
    case .character(let test): program.append(.character(number(of: test)))
    case .boundary(let boundary): program.append(.boundary(boundary))
    case .sequence(let nodes): for node in nodes { try append(node) }
    case .alternatives(let nodes): try append(alternatives: nodes[...])
    case .group(_, let node): try append(node)
    case .repetition(let node, let minimum, let maximum, _):
      for _ in 0..<minimum {
        let start = program.count
        try append(node)
        // A repetition of an empty expression is empty.
        if program.count == start { return }
      }
      if let maximum {
        try append(optional: node, times: maximum - minimum)
      } else {
        try append(many: node)
      }
    }
  }

  private mutating func number(of test: CharacterTest) -> Int {
    if let number = numbers[test] { return number }
    numbers[test] = tests.count
    tests.append(test)
    return tests.count - 1
  }

  private mutating func append(
    alternatives nodes: ArraySlice<RegularExpression.Node>
  ) throws(RegularExpressionError) {
    var jumps: [Int] = []
    for (index, node) in zip(nodes.indices, nodes) {
      guard index < nodes.endIndex - 1 else {
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

  private mutating func append(
    optional node: RegularExpression.Node, times: Int
  ) throws(RegularExpressionError) {
    var splits: [Int] = []
    for _ in 0..<times {
      splits.append(program.count)
      program.append(.jump(0))
      try append(node)
    }
    for split in splits { program[split] = .split(split + 1, program.count) }
  }

  private mutating func append(many node: RegularExpression.Node) throws(RegularExpressionError) {
    let split = program.count
    program.append(.jump(0))
    try append(node)
    program.append(.jump(split))
    program[split] = .split(split + 1, program.count)
  }
}
