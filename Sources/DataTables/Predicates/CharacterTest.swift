/// A test of one character in a regular expression.
struct CharacterTest: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case any, anyButLineEnd, digit, word, space
    case character(Character)
    case oneOf(Set<Character>)
    case range(ClosedRange<Unicode.Scalar>)
    /// A general category by its first letter or both letters: L, Lu.
    case category(String)
    indirect case not(Kind)
  }
  /// The character must match one of these kinds, or none of them if `isNegated` is true.
  var kinds: [Kind]
  var isNegated = false
  var ignoresCase = false

  func matches(_ character: Character) -> Bool { matchesKind(character) != isNegated }

  /// Whether an ASCII character matches; as ``matches(_:)``, in less time.
  func matches(ascii byte: UInt8) -> Bool {
    var isMatch = false
    for kind in kinds {
      guard !ignoresCase, let matches = kind.matches(ascii: byte) else {
        return matches(Character(Unicode.Scalar(byte)))
      }
      isMatch = isMatch || matches
    }
    return isMatch != isNegated
  }

  private func matchesKind(_ character: Character) -> Bool {
    if kinds.contains(where: { $0.matches(character) }) { return true }
    guard ignoresCase else { return false }
    return [character.lowercased(), character.uppercased()].contains { text in
      text.count == 1 && text.first.map { other in kinds.contains { $0.matches(other) } } ?? false
    }
  }
}

extension CharacterTest.Kind {
  func matches(_ character: Character) -> Bool {
    switch self {
    case .any: return true
    case .anyButLineEnd: return !character.isNewline
    case .space: return character.isWhitespace
    case .word: return character.isLetter || character.isNumber || character == "_"
    case .digit: return Self.scalar(of: character)?.properties.numericType == .decimal
    case .character(let other): return character == other
    case .oneOf(let others): return others.contains(character)
    case .range(let scalars): return Self.scalar(of: character).map(scalars.contains) ?? false
    case .category(let name):
      return character.unicodeScalars.first?.properties.generalCategory.name.hasPrefix(name)
        ?? false
    case .not(let kind): return !kind.matches(character)
    }
  }

  /// Whether an ASCII character matches; nil if that takes a look at its properties.
  fileprivate func matches(ascii byte: UInt8) -> Bool? {
    switch self {
    case .any: true
    case .anyButLineEnd: !(0x0A...0x0D).contains(byte)
    case .space: byte == 0x20 || (0x09...0x0D).contains(byte)
    case .word:
      byte.isDigit || (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
    case .digit: byte.isDigit
    case .character(let other): other.unicodeScalars.elementsEqual([Unicode.Scalar(byte)])
    case .oneOf(let others): others.contains(Character(Unicode.Scalar(byte)))
    case .range(let scalars): scalars.contains(Unicode.Scalar(byte))
    case .category: nil
    case .not(let kind): kind.matches(ascii: byte).map(!)
    }
  }

  /// The only scalar of the character; nil if it has several. Strings are composed, so é has one.
  private static func scalar(of character: Character) -> Unicode.Scalar? {
    let scalars = character.unicodeScalars
    return scalars.count == 1 ? scalars.first : nil
  }

  /// The kind for a name in `\p{…}` or `[:…:]`; nil if the name is unknown.
  init?(property name: String) {
    switch name.lowercased() {
    case "letter", "alpha", "alphabetic": self = .category("L")
    case "lower", "lowercase", "lowercase_letter": self = .category("Ll")
    case "upper", "uppercase", "uppercase_letter": self = .category("Lu")
    case "mark": self = .category("M")
    case "number": self = .category("N")
    case "digit": self = .digit
    case "punct", "punctuation": self = .category("P")
    case "symbol": self = .category("S")
    case "space", "white_space", "whitespace": self = .space
    case "word": self = .word
    default:
      guard Unicode.GeneralCategory.names.contains(where: { $0.hasPrefix(name) }), !name.isEmpty
      else { return nil }
      self = .category(name)
    }
  }
}

extension Unicode.GeneralCategory {
  fileprivate static let names = [
    "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi",
    "Pf", "Po", "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co", "Cn",
  ]

  /// The two letters of the category.
  fileprivate var name: String {
    switch self {
    case .uppercaseLetter: "Lu"
    case .lowercaseLetter: "Ll"
    case .titlecaseLetter: "Lt"
    case .modifierLetter: "Lm"
    case .otherLetter: "Lo"
    case .nonspacingMark: "Mn"
    case .spacingMark: "Mc"
    case .enclosingMark: "Me"
    case .decimalNumber: "Nd"
    case .letterNumber: "Nl"
    case .otherNumber: "No"
    case .connectorPunctuation: "Pc"
    case .dashPunctuation: "Pd"
    case .openPunctuation: "Ps"
    case .closePunctuation: "Pe"
    case .initialPunctuation: "Pi"
    case .finalPunctuation: "Pf"
    case .otherPunctuation: "Po"
    case .mathSymbol: "Sm"
    case .currencySymbol: "Sc"
    case .modifierSymbol: "Sk"
    case .otherSymbol: "So"
    case .spaceSeparator: "Zs"
    case .lineSeparator: "Zl"
    case .paragraphSeparator: "Zp"
    case .control: "Cc"
    case .format: "Cf"
    case .surrogate: "Cs"
    case .privateUse: "Co"
    case .unassigned: "Cn"
    @unknown default: "Cn"
    }
  }
}
