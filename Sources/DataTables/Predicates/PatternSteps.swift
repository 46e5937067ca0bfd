/// Steps through the program of a pattern without reading a character.
struct PatternSteps {
  /// The surroundings of a position.
  struct Context: Hashable {
    var isStart = false
    var isEnd = false
    var isAfterWord = false
    var isBeforeWord = false

    func satisfies(_ boundary: RegularExpression.Boundary) -> Bool {
      switch boundary {
      case .start: isStart
      case .end: isEnd
      case .word: isAfterWord != isBeforeWord
      case .notWord: isAfterWord == isBeforeWord
      }
    }
  }

  /// An instruction that has read a character.
  struct State: Hashable {
    /// The instruction after it.
    var next: Int
    var isStart = false
    var isAfterWord = false
  }

  let program: [GroupedPattern.Instruction]
  /// The instructions that continue at each instruction.
  private let predecessors: [[Int]]
  /// For each instruction, the last round in which it was visited.
  private var marks: [Int]
  private var round = 0

  init(_ program: [GroupedPattern.Instruction]) {
    self.program = program
    marks = [Int](repeating: 0, count: program.count)
    var predecessors = [[Int]](repeating: [], count: program.count)
    for (index, instruction) in program.enumerated() {
      switch instruction {
      case .split(let first, let second):
        predecessors[first].append(index)
        predecessors[second].append(index)
      case .jump(let target): predecessors[target].append(index)
      case .save, .boundary: predecessors[index + 1].append(index)
      case .character, .match: break
      }
    }
    self.predecessors = predecessors
  }

  /// The instructions that read a character or match, and can be reached from an instruction, in
  /// the order of preference, with the slots that are saved on the way.
  ///
  /// - Parameter visit: returns false to end the search.
  /// - Complexity: O(instructions).
  mutating func forward(
    from start: Int, _ context: Context, _ visit: (_ target: Int, _ slots: [Int]) -> Bool
  ) {
    round += 1
    var stack: [(index: Int, saved: Int)] = [(start, 0)]
    var slots: [Int] = []
    while let (index, saved) = stack.popLast() {
      guard marks[index] != round else { continue }
      marks[index] = round
      slots.removeLast(slots.count - saved)
      switch program[index] {
      case .split(let first, let second):
        stack.append((second, saved))
        stack.append((first, saved))
      case .jump(let target): stack.append((target, saved))
      case .save(let slot):
        slots.append(slot)
        stack.append((index + 1, saved + 1))
      case .boundary(let boundary):
        if context.satisfies(boundary) { stack.append((index + 1, saved)) }
      case .character, .match: if !visit(index, slots) { return }
      }
    }
  }

  /// For each instruction, whether one of the targets can be reached from it.
  /// - Complexity: O(instructions).
  mutating func canReach(_ targets: [Int], _ context: Context) -> [Bool] {
    var reaches = [Bool](repeating: false, count: program.count)
    var stack = targets
    for target in targets { reaches[target] = true }
    while let index = stack.popLast() {
      for other in predecessors[index] where !reaches[other] {
        if case .boundary(let boundary) = program[other], !context.satisfies(boundary) { continue }
        reaches[other] = true
        stack.append(other)
      }
    }
    return reaches
  }
}
