/// A deterministic automaton for a ``RegularExpression``, which grows while it matches strings: a
/// step is found when it is first taken, and then looked up.
///
/// A string takes O(characters × instructions) at most, also if the automaton becomes too large and
/// starts again from nothing, and usually one look-up for each byte.
struct PatternAutomaton {
  enum Outcome { case match, noMatch, notPlain }

  private let expression: RegularExpression
  private let foldsCase: Bool
  private let folds: Bool
  private var readsASCIIOnly = false
  private var steps: AutomatonSteps
  private var symbols: PatternSymbols
  /// For each state, ``stride`` steps: of the ASCII characters, then of the symbols. A step is the
  /// place of the next state in the table, ``none`` or ``unknown``.
  private var table: [Int32] = []
  private var states: [AutomatonSteps.State] = []
  private var numbers: [AutomatonSteps.State: Int] = [:]
  /// The instructions in all states.
  private var size = 0
  /// For each state, the bytes that leave it; nil if not known yet.
  private var loops: [PatternLoop?] = []

  private static let firstSymbol = 128
  private static let stride = firstSymbol + PatternSymbols.maxCount
  private static let unknown: Int32 = -1
  /// The place of the state from which nothing matches.
  private static let none: Int32 = 0
  private static let start = stride
  private static let maxStates = 2_000
  private static let maxSize = 1 << 20
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// - Parameter options: the folding before the comparison.
  init(_ expression: RegularExpression, _ options: ComparisonOperator.Options) {
    self.expression = expression
    foldsCase = options.contains(.caseInsensitive)
    folds = !options.isEmpty
    steps = AutomatonSteps(expression.program)
    symbols = PatternSymbols(expression.tests)
    clear()
  }

  private mutating func clear() {
    table = []
    states = []
    numbers = [:]
    loops = []
    size = 0
    _ = number(AutomatonSteps.State(starts: []))
    table = [Int32](repeating: Self.none, count: Self.stride)
    _ = number(AutomatonSteps.State(starts: [0], isStart: true))
  }

  /// Matches a whole text, if it is plain. A text is not read to its end if nothing can match.
  /// - Parameter isFolded: whether the text was folded. Another text is folded here, if it is ASCII.
  mutating func match(_ text: UnsafeRawBufferPointer, isFolded: Bool = false) -> Outcome {
    readsASCIIOnly = folds && !isFolded
    var place = Self.start
    var index = 0
    while true {
      skipLoop(text, place / Self.stride, &index)
      (place, index) = run(text, from: place, at: index)
      guard index < text.count else { break }
      switch character(at: index, in: text) {
      case .symbol(let symbol, let length, let byte):
        index += length
        place = Int(step(from: place, over: symbol, byte))
        if place == Int(Self.none) { return isPlain(text, at: index) ? .noMatch : .notPlain }
      case .notPlain: return .notPlain
      case .tooManySymbols:
        symbols.clear()
        clear()
        return .notPlain
      }
    }
    return step(from: place, over: PatternSymbols.end, nil) == Self.none ? .noMatch : .match
  }

  /// Whether the character before an index certainly ends there.
  private mutating func isPlain(_ text: UnsafeRawBufferPointer, at index: Int) -> Bool {
    if index == text.count || text[index] < 0x80 { return true }
    if case .symbol = character(at: index, in: text) { return true }
    return false
  }

  /// Matches a whole string by its characters.
  /// - Parameter text: after folding.
  mutating func matches(_ text: String) -> Bool {
    var place = Self.start
    for character in text.composed {
      guard let symbol = symbols.symbol(of: character) else {
        symbols.clear()
        clear()
        return expression.matchesWhole(text)
      }
      place = Int(step(from: place, over: symbol, nil))
      if place == Int(Self.none) { return false }
    }
    return step(from: place, over: PatternSymbols.end, nil) != Self.none
  }

  private enum Found {
    /// - Parameter byte: the character, if it is one byte whose steps are in the table.
    case symbol(Int, length: Int, byte: UInt8?)
    case notPlain
    case tooManySymbols
  }

  private mutating func character(at index: Int, in text: UnsafeRawBufferPointer) -> Found {
    let byte = text[index]
    var scalar = UInt32(foldsCase ? byte.lowercased : byte)
    var length = 1
    if byte == Self.carriageReturn, index + 1 < text.count, text[index + 1] == Self.lineFeed {
      return symbols.symbol(of: "\r\n").map { .symbol($0, length: 2, byte: nil) }
        ?? .tooManySymbols
    } else if byte >= 0x80 {
      guard !readsASCIIOnly, let found = text.scalar(at: index) else { return .notPlain }
      (scalar, length) = found
    }
    switch symbols.symbol(ofPlain: scalar) {
    case .known(let symbol):
      let isByte = length == 1 && byte != Self.carriageReturn
      return .symbol(symbol, length: length, byte: isByte ? byte : nil)
    case .notPlain: return .notPlain
    case .tooMany: return .tooManySymbols
    }
  }

  /// Takes known steps over ASCII characters other than CR, which may be part of a CR LF.
  private func run(
    _ text: UnsafeRawBufferPointer, from place: Int, at index: Int
  ) -> (place: Int, index: Int) {
    var (place, index) = (place, index)
    table.withUnsafeBufferPointer { table in
      while index < text.count {
        let byte = text[index]
        guard byte < 0x80 else { break }
        let next = table[place &+ Int(byte)]
        if next <= Self.none { break }
        place = Int(next)
        index &+= 1
      }
    }
    return (place, index)
  }

  /// Skips bytes that leave the state as it is.
  private mutating func skipLoop(_ text: UnsafeRawBufferPointer, _ state: Int, _ index: inout Int) {
    guard text.count - index >= PatternLoop.size * 2 else { return }
    let loop = loops[state] ?? loop(state)
    if loop.isUseful { index = loop.end(in: text.assumingMemoryBound(to: UInt8.self), from: index) }
  }

  private mutating func loop(_ state: Int) -> PatternLoop {
    let loop = PatternLoop(exits: exits(of: state) ?? Array(PatternLoop.bytes))
    loops[state] = loop
    return loop
  }

  /// The bytes that leave a state; nil if finding them could make the automaton too large.
  private mutating func exits(of state: Int) -> [UInt8]? {
    let count = PatternLoop.bytes.count
    guard states.count + count < Self.maxStates,
      size + count * expression.program.count < Self.maxSize
    else { return nil }
    var exits: [UInt8] = []
    let place = state * Self.stride
    for byte in PatternLoop.bytes {
      let scalar = UInt32(foldsCase ? byte.lowercased : byte)
      guard case .known(let symbol) = symbols.symbol(ofPlain: scalar) else { return nil }
      if step(from: place, over: symbol, byte) != Int32(place) { exits.append(byte) }
    }
    return exits
  }

  /// The place of the next state.
  private mutating func step(from place: Int, over symbol: Int, _ byte: UInt8?) -> Int32 {
    var next = table[place + Self.firstSymbol + symbol]
    if next == Self.unknown {
      let state = steps.next(
        states[place / Self.stride], passes: symbols.passes[symbol],
        isWord: symbols.isWord[symbol], isEnd: symbol == PatternSymbols.end)
      if states.count == Self.maxStates || size > Self.maxSize {
        clear()
        return Int32(number(state) * Self.stride)
      }
      next = Int32(number(state) * Self.stride)
      table[place + Self.firstSymbol + symbol] = next
    }
    if let byte { table[place + Int(byte)] = next }
    return next
  }

  private mutating func number(_ state: AutomatonSteps.State) -> Int {
    if let number = numbers[state] { return number }
    numbers[state] = states.count
    states.append(state)
    size += state.starts.count
    table += repeatElement(Self.unknown, count: Self.stride)
    loops.append(nil)
    return states.count - 1
  }
}
