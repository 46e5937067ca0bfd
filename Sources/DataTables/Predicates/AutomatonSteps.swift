/// Finds the steps of a ``PatternAutomaton`` by following all paths through a program.
struct AutomatonSteps {
  /// A place between two characters.
  struct State: Hashable {
    /// The instructions after those that have read the last character, ascending.
    var starts: [Int32]
    /// These matter only to a program with boundaries.
    var isStart = false
    var isAfterWord = false
  }

  private let program: [RegularExpression.Instruction]
  private let hasBoundaries: Bool
  /// For each instruction, the last round in which it was visited.
  private var marks: [Int]
  private var round = 0
  private var stack: [Int] = []

  init(_ program: [RegularExpression.Instruction]) {
    self.program = program
    marks = [Int](repeating: 0, count: program.count)
    hasBoundaries = program.contains { if case .boundary = $0 { true } else { false } }
  }

  /// The state after one more character; without starts if nothing matches any more.
  ///
  /// - Parameters:
  ///   - passes: the tests that the character passes.
  ///   - isEnd: whether the text ends here. The state then has starts if the program matches.
  /// - Complexity: O(instructions).
  mutating func next(_ state: State, passes: [Bool], isWord: Bool, isEnd: Bool) -> State {
    var starts: [Int32] = []
    round += 1
    for start in state.starts {
      stack.append(Int(start))
      while let index = stack.popLast() {
        guard marks[index] != round else { continue }
        marks[index] = round
        switch program[index] {
        case .split(let first, let second):
          stack.append(second)
          stack.append(first)
        case .jump(let target): stack.append(target)
        case .boundary(let boundary):
          let isHere =
            switch boundary {
            case .start: state.isStart
            case .end: isEnd
            case .word: state.isAfterWord != isWord
            case .notWord: state.isAfterWord == isWord
            }
          if isHere { stack.append(index + 1) }
        case .character(let test): if !isEnd, passes[test] { starts.append(Int32(index + 1)) }
        case .match: if isEnd { starts.append(Int32(index)) }
        }
      }
    }
    if starts.isEmpty { return State(starts: []) }
    starts.sort()
    return State(starts: starts, isAfterWord: hasBoundaries && isWord)
  }
}
