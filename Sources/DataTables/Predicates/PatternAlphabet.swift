/// The characters as a pattern distinguishes them: characters that pass the same tests are one
/// symbol. Symbols of characters outside ASCII are found when they first appear.
struct PatternAlphabet {
  /// The symbol after the last character.
  static let end = 0
  static let maxSymbols = 250

  /// The symbols of the ASCII characters.
  private(set) var ascii: [UInt8] = []
  /// For each symbol, the tests that it passes.
  private(set) var passes: [[Bool]] = []
  /// For each symbol, whether its characters are part of words.
  private(set) var isWord: [Bool] = []

  private let tests: [CharacterTest]
  private var symbols: [[Bool]: UInt8] = [:]
  private var others: [UInt32: UInt8] = [:]
  /// The symbols of the first characters outside ASCII, by number; 0 for those not found yet.
  private var near: [UInt8] = []

  private static let word = CharacterTest(kinds: [.word])
  private static let maxOthers = 20_000
  /// The scripts of Europe and the Near East.
  private static let near: Range<UInt32> = 128..<0x800

  init(_ tests: [CharacterTest]) {
    self.tests = tests
    passes = [[Bool](repeating: false, count: tests.count)]
    isWord = [false]
    for byte in 0..<128 as Range<UInt8> {
      let symbol = add(
        passed: tests.map { $0.matches(ascii: byte) }, isWord: Self.word.matches(ascii: byte))
      ascii.append(symbol ?? 0)
    }
  }

  var count: Int { passes.count }

  /// The symbol of a character outside ASCII; nil if there would be too many symbols.
  mutating func symbol(of scalar: Unicode.Scalar) -> UInt8? {
    let isNear = Self.near.contains(scalar.value)
    if isNear {
      if near.isEmpty { near = [UInt8](repeating: 0, count: Int(Self.near.upperBound)) }
      let symbol = near[Int(scalar.value)]
      if symbol != 0 { return symbol }
    } else if let symbol = others[scalar.value] {
      return symbol
    }
    let character = Character(scalar)
    guard
      let symbol = add(
        passed: tests.map { $0.matches(character) }, isWord: Self.word.matches(character))
    else { return nil }
    if isNear {
      near[Int(scalar.value)] = symbol
    } else {
      if others.count == Self.maxOthers { others = [:] }
      others[scalar.value] = symbol
    }
    return symbol
  }

  private mutating func add(passed: [Bool], isWord: Bool) -> UInt8? {
    // The last element separates characters of words from others that pass the same tests.
    if let symbol = symbols[passed + [isWord]] { return symbol }
    guard passes.count < Self.maxSymbols else { return nil }
    let symbol = UInt8(passes.count)
    symbols[passed + [isWord]] = symbol
    passes.append(passed)
    self.isWord.append(isWord)
    return symbol
  }
}
