/// The steps of a pattern for lines in which each character leaves one way through the expression.
struct OnePassTable {
  enum Outcome { case match, noMatch, ambiguous, tooManySymbols }

  private static let unknown = -1, noMatch = -2, ambiguous = -3, match = -4

  private let pattern: GroupedPattern
  private var steps: PatternSteps
  private var states: [PatternSteps.State]
  private var numbers: [PatternSteps.State: Int]
  /// For each state, ``stride`` steps: of the ASCII characters, then of the symbols of other
  /// characters. A step is the place of the next state times two, plus one if slots are saved; or
  /// one of the constants. After a match, slots may be saved too.
  private var table: [Int32]
  /// The slots that each step saves.
  private var saves: PatternSaves
  /// For each state, the bytes that leave it; nil if not known yet.
  private var loops: [PatternLoop?] = [nil]

  private static let stride = 512
  private static let firstSymbol = 128

  init(_ pattern: GroupedPattern) {
    self.pattern = pattern
    steps = PatternSteps(pattern.program)
    let start = PatternSteps.State(next: 0, isStart: true)
    states = [start]
    numbers = [start: 0]
    table = [Int32](repeating: Int32(Self.unknown), count: Self.stride)
    saves = PatternSaves(count: Self.stride)
  }

  mutating func match(
    _ bytes: UnsafeBufferPointer<UInt8>, _ alphabet: inout PatternAlphabet,
    _ slots: UnsafeMutableBufferPointer<Int>
  ) -> Outcome {
    slots.update(repeating: -1)
    var place = 0
    var index = 0
    while true {
      if bytes.count - index >= PatternLoop.size {
        skipLoop(bytes, alphabet, place / Self.stride, &index)
      }
      (place, index) = run(bytes, from: place, at: index, slots)
      var symbol = PatternAlphabet.end
      var length = 1
      var step = place + Self.firstSymbol
      if index < bytes.count, bytes[index] < 0x80 {
        symbol = Int(alphabet.ascii[Int(bytes[index])])
        step = place + Int(bytes[index])
      } else if index < bytes.count {
        let (scalar, size) = bytes.scalar(at: index)
        guard let other = alphabet.symbol(of: scalar) else { return .tooManySymbols }
        (symbol, length) = (Int(other), size)
        step += symbol
      }
      if table[step] == Self.unknown { fill(step, place / Self.stride, symbol, alphabet) }
      let next = Int(table[step])
      if next == Self.noMatch { return .noMatch }
      if next == Self.ambiguous { return .ambiguous }
      if next == Self.match || next & 1 != 0 { saves.save(index, ofStep: step, in: slots) }
      if next == Self.match { return .match }
      place = next >> 1
      index += length
    }
  }

  /// Takes known steps over ASCII characters, up to a step into a state in which blocks of bytes may
  /// be skipped.
  private func run(
    _ bytes: UnsafeBufferPointer<UInt8>, from place: Int, at index: Int,
    _ slots: UnsafeMutableBufferPointer<Int>
  ) -> (place: Int, index: Int) {
    var (place, index) = (Int32(truncatingIfNeeded: place), index)
    let end = bytes.count
    table.withUnsafeBufferPointer { table in
      while index < end {
        let byte = bytes[index]
        if byte >= 0x80 { return }
        let number = Int(truncatingIfNeeded: place &+ Int32(truncatingIfNeeded: byte))
        let step = table[number]
        if step < 0 { return }
        if step & 1 != 0 {
          saves.save(index, ofStep: number, in: slots)
          place = step &>> 1
          index &+= 1
          // After the start of a group, many bytes may be alike.
          if end &- index >= PatternLoop.size { return }
          continue
        }
        place = step &>> 1
        index &+= 1
      }
    }
    return (Int(place), index)
  }

  /// Skips bytes that leave the state as it is.
  private mutating func skipLoop(
    _ bytes: UnsafeBufferPointer<UInt8>, _ alphabet: borrowing PatternAlphabet, _ state: Int,
    _ index: inout Int
  ) {
    let loop = loops[state] ?? loop(state, alphabet)
    if loop.isUseful { index = loop.end(in: bytes, from: index) }
  }

  private mutating func loop(
    _ state: Int, _ alphabet: borrowing PatternAlphabet
  ) -> PatternLoop {
    var exits: [UInt8] = []
    let place = state * Self.stride
    for byte in PatternLoop.bytes {
      let step = place + Int(byte)
      if table[step] == Self.unknown {
        fill(step, state, Int(alphabet.ascii[Int(byte)]), alphabet)
      }
      if table[step] != Int32(place << 1) { exits.append(byte) }
    }
    let loop = PatternLoop(exits: exits)
    loops[state] = loop
    return loop
  }

  /// Finds the step of a state over a symbol, and over all ASCII characters that are the same one.
  private mutating func fill(
    _ place: Int, _ number: Int, _ symbol: Int, _ alphabet: borrowing PatternAlphabet
  ) {
    let state = states[number]
    let isEnd = symbol == PatternAlphabet.end
    let passes = alphabet.passes[symbol]
    let isWord = alphabet.isWord[symbol]
    var found: (target: Int, slots: [Int])?
    var isAmbiguous = false
    let program = pattern.program
    let context = PatternSteps.Context(
      isStart: state.isStart, isEnd: isEnd, isAfterWord: state.isAfterWord, isBeforeWord: isWord)
    steps.forward(from: state.next, context) { target, slots in
      switch program[target] {
      case .character(let test) where !isEnd && passes[test]: break
      case .match where isEnd: break
      default: return true
      }
      isAmbiguous = found != nil
      if found == nil { found = (target, slots) }
      return !isAmbiguous
    }
    let step: Int32
    if isAmbiguous {
      step = Int32(Self.ambiguous)
    } else if let (target, slots) = found {
      let next = isEnd ? nil : PatternSteps.State(next: target + 1, isAfterWord: isWord)
      step =
        next.map { Int32(self.number($0) * Self.stride << 1) | (slots.isEmpty ? 0 : 1) }
        ?? Int32(Self.match)
      saves.set(slots, ofStep: place)
    } else {
      step = Int32(Self.noMatch)
    }
    table[place] = step
    if place % Self.stride < Self.firstSymbol { spread(place, number, symbol, alphabet) }
  }

  /// Copies a step to all ASCII characters that are the same symbol.
  private mutating func spread(
    _ place: Int, _ number: Int, _ symbol: Int, _ alphabet: borrowing PatternAlphabet
  ) {
    for (byte, other) in alphabet.ascii.enumerated() where Int(other) == symbol {
      let alike = number * Self.stride + byte
      table[alike] = table[place]
      saves.copy(fromStep: place, toStep: alike)
    }
  }

  private mutating func number(_ state: PatternSteps.State) -> Int {
    if let number = numbers[state] { return number }
    numbers[state] = states.count
    states.append(state)
    table += repeatElement(Int32(Self.unknown), count: Self.stride)
    saves.append(count: Self.stride)
    loops.append(nil)
    return states.count - 1
  }
}
