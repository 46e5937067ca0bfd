/// The steps of a pattern for lines with several ways through the expression.
struct TwoPassTable {
  /// The instructions that read the character at a position, and from which the rest of the line
  /// matches.
  private struct Position: Hashable {
    var instructions: [Int]
    var isWord: Bool
    var isEnd: Bool
  }

  private let pattern: GroupedPattern
  private var steps: PatternSteps
  private var positions: [Position] = []
  private var positionNumbers: [Position: Int] = [:]
  /// For each position and the symbol before it, the position before; -1 if unknown.
  private var before: [Int32] = []
  private var states: [PatternSteps.State] = []
  private var stateNumbers: [PatternSteps.State: Int] = [:]
  /// For each state and position, the next state times two, plus one if slots are saved; -1 if
  /// unknown, -2 at the end.
  private var after: [Int32] = []
  /// The slots that each step of `after` saves.
  private var saves = PatternSaves(count: 0)
  /// The room for positions of each state in `after`.
  private var width = 64
  /// The sizes of all sets of instructions.
  private var elements = 0
  private var trail: [UInt16] = []

  private static let unknown = -1, end = -2
  private static let stride = 256
  private static let maxPositions = 16_384
  private static let maxElements = 4 << 20
  private static let maxLine = 16 << 20

  init(_ pattern: GroupedPattern) {
    self.pattern = pattern
    steps = PatternSteps(pattern.program)
    _ = number(
      Position(instructions: [pattern.program.count - 1], isWord: false, isEnd: true))
    _ = number(PatternSteps.State(next: 0, isStart: true))
  }

  private var isFull: Bool {
    elements > Self.maxElements || positions.count > Self.maxPositions
      || after.count > Self.maxElements
  }

  /// Whether the line matches; nil if the tables became too large, or the line is too long.
  mutating func match(
    _ bytes: UnsafeBufferPointer<UInt8>, _ alphabet: inout PatternAlphabet,
    _ slots: UnsafeMutableBufferPointer<Int>
  ) -> Bool? {
    guard !isFull, bytes.count <= Self.maxLine else { return nil }
    slots.update(repeating: -1)
    guard let trail = backward(bytes, &alphabet) else { return nil }
    defer { self.trail = trail }
    return forward(bytes, trail, slots)
  }

  /// The number of the position at each byte that starts a character, and at the end; nil if there
  /// are too many.
  private mutating func backward(
    _ bytes: UnsafeBufferPointer<UInt8>, _ alphabet: inout PatternAlphabet
  ) -> [UInt16]? {
    var trail = self.trail
    self.trail = []
    if trail.count <= bytes.count {
      trail = [UInt16](repeating: 0, count: max(bytes.count + 1, trail.count * 2))
    }
    var position = 0
    trail[bytes.count] = 0
    var index = bytes.count
    while index > 0 {
      (position, index) = runBack(bytes, alphabet, from: position, at: index, &trail)
      guard index > 0 else { break }
      var start = index - 1
      var symbol = alphabet.ascii[Int(bytes[start] & 0x7F)]
      if bytes[start] >= 0x80 {
        while start > 0, index - start < 4, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        var (scalar, length) = bytes.scalar(at: start)
        if length != index - start { (scalar, length, start) = ("\u{FFFD}", 1, index - 1) }
        guard let other = alphabet.symbol(of: scalar) else { return nil }
        symbol = other
      }
      let place = position * Self.stride + Int(symbol)
      if before[place] < 0 {
        before[place] = Int32(number(before: position, Int(symbol), alphabet))
      }
      if isFull { return nil }
      position = Int(before[place])
      index = start
      trail[index] = UInt16(position)
    }
    return trail
  }

  /// Takes known steps over ASCII characters.
  private func runBack(
    _ bytes: UnsafeBufferPointer<UInt8>, _ alphabet: borrowing PatternAlphabet, from position: Int,
    at index: Int, _ trail: inout [UInt16]
  ) -> (position: Int, index: Int) {
    var (position, index) = (position, index)
    alphabet.ascii.withUnsafeBufferPointer { ascii in
      before.withUnsafeBufferPointer { before in
        trail.withUnsafeMutableBufferPointer { trail in
          while index > 0 {
            let byte = bytes[index &- 1]
            guard byte < 0x80 else { break }
            let next = before[position &* Self.stride &+ Int(ascii[Int(byte)])]
            if next < 0 { break }
            position = Int(next)
            index &-= 1
            trail[index] = UInt16(truncatingIfNeeded: next)
          }
        }
      }
    }
    return (position, index)
  }

  /// Follows the preferred way; false if the line does not match.
  private mutating func forward(
    _ bytes: UnsafeBufferPointer<UInt8>, _ trail: [UInt16],
    _ slots: UnsafeMutableBufferPointer<Int>
  ) -> Bool? {
    var state = 0
    var index = 0
    guard widen() else { return nil }
    while true {
      (state, index) = run(bytes, trail, from: state, at: index)
      let position = Int(trail[index])
      let place = state * width + position
      if after[place] == Self.unknown {
        guard fill(state, position) else { return false }
        if isFull { return nil }
      }
      let step = Int(after[place])
      if step == Self.end || step & 1 != 0 { saves.save(index, ofStep: place, in: slots) }
      if step == Self.end { return true }
      state = step >> 1
      index += bytes[index] < 0x80 ? 1 : length(at: index, bytes)
    }
  }

  /// Takes known steps over ASCII characters that save no slots.
  private func run(
    _ bytes: UnsafeBufferPointer<UInt8>, _ trail: [UInt16], from state: Int, at index: Int
  ) -> (state: Int, index: Int) {
    var (state, index) = (state, index)
    let width = width
    after.withUnsafeBufferPointer { after in
      trail.withUnsafeBufferPointer { trail in
        while index < bytes.count, bytes[index] < 0x80 {
          let step = Int(after[state &* width &+ Int(trail[index])])
          if step < 0 || step & 1 != 0 { break }
          state = step &>> 1
          index &+= 1
        }
      }
    }
    return (state, index)
  }

  /// Makes room for all positions in `after`; false if it became too large.
  private mutating func widen() -> Bool {
    guard positions.count > width else { return true }
    while width < positions.count { width *= 2 }
    guard states.count * width <= Self.maxElements else { return false }
    // The steps are found again.
    after = [Int32](repeating: Int32(Self.unknown), count: states.count * width)
    saves = PatternSaves(count: after.count)
    return true
  }

  private func length(at index: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    bytes.scalar(at: index).length
  }
}

// Steps that are taken for the first time.
extension TwoPassTable {
  private mutating func number(
    before number: Int, _ symbol: Int, _ alphabet: borrowing PatternAlphabet
  ) -> Int {
    let position = positions[number]
    let isWord = alphabet.isWord[symbol]
    let context = PatternSteps.Context(
      isEnd: position.isEnd, isAfterWord: isWord, isBeforeWord: position.isWord)
    let reaches = steps.canReach(position.instructions, context)
    let passes = alphabet.passes[symbol]
    var instructions: [Int] = []
    for (index, instruction) in pattern.program.enumerated() {
      if case .character(let test) = instruction, passes[test], reaches[index + 1] {
        instructions.append(index)
      }
    }
    return self.number(Position(instructions: instructions, isWord: isWord, isEnd: false))
  }

  /// Finds the step of a state at a position; false if no way leads on.
  private mutating func fill(_ number: Int, _ position: Int) -> Bool {
    let state = states[number]
    let here = positions[position]
    let context = PatternSteps.Context(
      isStart: state.isStart, isEnd: here.isEnd, isAfterWord: state.isAfterWord,
      isBeforeWord: here.isWord)
    let targets = Set(here.instructions)
    var found: (target: Int, slots: [Int])?
    steps.forward(from: state.next, context) { target, slots in
      guard targets.contains(target) else { return true }
      found = (target, slots)
      return false
    }
    guard let (target, slots) = found else { return false }
    saves.set(slots, ofStep: number * width + position)
    let next =
      here.isEnd ? nil : self.number(PatternSteps.State(next: target + 1, isAfterWord: here.isWord))
    after[number * width + position] =
      next.map { Int32($0 << 1) | (slots.isEmpty ? 0 : 1) } ?? Int32(Self.end)
    return true
  }

  private mutating func number(_ position: Position) -> Int {
    if let number = positionNumbers[position] { return number }
    positionNumbers[position] = positions.count
    positions.append(position)
    elements += position.instructions.count
    before += repeatElement(-1, count: Self.stride)
    return positions.count - 1
  }

  private mutating func number(_ state: PatternSteps.State) -> Int {
    if let number = stateNumbers[state] { return number }
    stateNumbers[state] = states.count
    states.append(state)
    after += repeatElement(Int32(Self.unknown), count: width)
    saves.append(count: width)
    return states.count - 1
  }
}
