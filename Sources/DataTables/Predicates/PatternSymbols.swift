/// The characters as an expression distinguishes them: characters that pass the same tests are one
/// symbol. The symbol of a character is found when it first appears.
struct PatternSymbols {
  /// The symbol after the last character.
  static let end = 0
  /// The most symbols that an expression can have.
  static let maxCount = 384

  /// For each symbol, whether it passes each of the tests.
  private(set) var passes: [[Bool]] = []
  /// For each symbol, whether its characters are part of words.
  private(set) var isWord: [Bool] = []

  private let tests: [CharacterTest]
  /// The results of the tests, and at the end whether the character is part of words.
  private var numbers: [[Bool]: Int] = [:]
  private var characters: [Character: Int] = [:]
  /// For each block of 256 scalars, the place of its symbols; ``unknown`` if none is known. The first
  /// block, which contains ASCII, is always known.
  private var blocks: [Int32] = []
  /// The symbols of scalars; ``unknown`` or ``notPlain`` for others.
  private var symbols: [Int16] = []

  private static let unknown: Int16 = -1
  private static let notPlain: Int16 = -2
  private static let maxKnown = 20_000
  private static let blockSize = 256
  private static let blockCount = 0x11_0000 / blockSize
  private static let word = CharacterTest.Kind.word

  init(_ tests: [CharacterTest]) {
    self.tests = tests
    clear()
  }

  /// Forgets all symbols but the end.
  mutating func clear() {
    passes = [[Bool](repeating: false, count: tests.count)]
    isWord = [false]
    numbers = [:]
    characters = [:]
    blocks = [Int32](repeating: Int32(Self.unknown), count: Self.blockCount)
    symbols = []
    _ = place(ofBlock: 0)
  }

  /// The symbol of a character; nil if there would be too many symbols.
  mutating func symbol(of character: Character) -> Int? {
    if let symbol = characters[character] { return symbol }
    if characters.count == Self.maxKnown { characters = [:] }
    var passed = tests.map { $0.matches(character) }
    let isWord = Self.word.matches(character)
    passed.append(isWord)
    if let symbol = numbers[passed] {
      characters[character] = symbol
      return symbol
    }
    guard passes.count < Self.maxCount else { return nil }
    let symbol = passes.count
    numbers[passed] = symbol
    characters[character] = symbol
    passed.removeLast()
    passes.append(passed)
    self.isWord.append(isWord)
    return symbol
  }

  enum PlainSymbol {
    case known(Int)
    case notPlain
    case tooMany
  }

  /// The symbol of a scalar that is a character of its own, if the scalar is plain.
  @inline(__always)
  mutating func symbol(ofPlain scalar: UInt32) -> PlainSymbol {
    if scalar < Self.blockSize {
      let known = symbols[Int(scalar)]
      if known >= 0 { return .known(Int(known)) }
    }
    return otherSymbol(ofPlain: scalar)
  }

  private mutating func otherSymbol(ofPlain scalar: UInt32) -> PlainSymbol {
    let place = place(ofBlock: Int(scalar) / Self.blockSize) + Int(scalar) % Self.blockSize
    let known = symbols[place]
    if known >= 0 { return .known(Int(known)) }
    if known == Self.notPlain { return .notPlain }
    guard PlainScalars.contains(scalar), let plain = Unicode.Scalar(scalar) else {
      symbols[place] = Self.notPlain
      return .notPlain
    }
    guard let symbol = symbol(of: Character(plain)) else { return .tooMany }
    symbols[place] = Int16(symbol)
    return .known(symbol)
  }

  private mutating func place(ofBlock number: Int) -> Int {
    if blocks[number] != Int32(Self.unknown) { return Int(blocks[number]) }
    let place = symbols.count
    symbols += repeatElement(Self.unknown, count: Self.blockSize)
    blocks[number] = Int32(place)
    return place
  }
}
