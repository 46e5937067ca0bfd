/// The steps of a pattern for lines in which each character leaves one way through the expression.
struct OnePassTable {
  enum Outcome { case match, noMatch, ambiguous, tooManySymbols }

  private static let unknown = -1, noMatch = -2, ambiguous = -3, match = -4

  private let pattern: GroupedPattern
  private var steps: PatternSteps
  private var states: [PatternSteps.State]
  private var numbers: [PatternSteps.State: Int]
  /// For each state and symbol, the next state times two, plus one if slots are saved; or one of
  /// the constants. After a match, slots may be saved too.
  private var table: [Int32]
  /// The slots that each step saves.
  private var saves: PatternSaves
  /// For each state, the bytes that leave it; nil if not known yet.
  private var loops: [PatternLoop?] = [nil]

  private static let stride = 256

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
    var state = 0
    var index = 0
    while true {
      if bytes.count - index >= PatternLoop.size { skipLoop(bytes, alphabet, state, &index) }
      (state, index) = run(bytes, alphabet, from: state, at: index)
      var symbol = PatternAlphabet.end
      var length = 1
      if index < bytes.count, bytes[index] < 0x80 {
        symbol = Int(alphabet.ascii[Int(bytes[index])])
      } else if index < bytes.count {
        let (scalar, size) = bytes.scalar(at: index)
        guard let other = alphabet.symbol(of: scalar) else { return .tooManySymbols }
        (symbol, length) = (Int(other), size)
      }
      let place = state * Self.stride + symbol
      if table[place] == Self.unknown { fill(place, state, symbol, alphabet) }
      let step = Int(table[place])
      if step == Self.noMatch { return .noMatch }
      if step == Self.ambiguous { return .ambiguous }
      if step == Self.match || step & 1 != 0 {
        saves.save(index, ofStep: place, in: slots)
      }
      if step == Self.match { return .match }
      state = step >> 1
      index += length
    }
  }

  /// Takes steps over ASCII characters that save no slots.
  private func run(
    _ bytes: UnsafeBufferPointer<UInt8>, _ alphabet: borrowing PatternAlphabet, from state: Int,
    at index: Int
  ) -> (state: Int, index: Int) {
    var place = Int32(truncatingIfNeeded: state &* Self.stride)
    var index = index
    alphabet.ascii.withUnsafeBufferPointer { ascii in
      table.withUnsafeBufferPointer { table in
        while index < bytes.count {
          let byte = bytes[index]
          guard byte < 0x80 else { break }
          let symbol = Int32(truncatingIfNeeded: ascii[Int(byte)])
          let step = table[Int(truncatingIfNeeded: place &+ symbol)]
          if step < 0 || step & 1 != 0 { break }
          place = (step &>> 1) &* Int32(truncatingIfNeeded: Self.stride)
          index &+= 1
        }
      }
    }
    return (Int(place) / Self.stride, index)
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
    for byte in PatternLoop.bytes {
      let symbol = Int(alphabet.ascii[Int(byte)])
      let place = state * Self.stride + symbol
      if table[place] == Self.unknown { fill(place, state, symbol, alphabet) }
      if table[place] != Int32(state << 1) { exits.append(byte) }
    }
    let loop = PatternLoop(exits: exits)
    loops[state] = loop
    return loop
  }

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
    if isAmbiguous {
      table[place] = Int32(Self.ambiguous)
    } else if let (target, slots) = found {
      saves.set(slots, ofStep: place)
      table[place] =
        isEnd
        ? Int32(Self.match)
        : Int32(self.number(PatternSteps.State(next: target + 1, isAfterWord: isWord)) << 1)
          | (slots.isEmpty ? 0 : 1)
    } else {
      table[place] = Int32(Self.noMatch)
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
