// Character sets and escapes.
extension RegularExpressionParser {
  /// A character, a range, an escape or `[:name:]` inside `[…]`.
  mutating func setMember() throws(RegularExpressionError) -> CharacterTest.Kind {
    if take("[:") { return try namedClass() }
    if next == "[" || take("&&") || take("--") {
      throw error("nested sets are not supported; write `\\[` to mean the character")
    }
    let first = try memberCharacter()
    guard next == "-", position + 1 < characters.count, characters[position + 1] != "]" else {
      return first
    }
    position += 1
    let last = try memberCharacter()
    guard case .character(let low) = first, case .character(let high) = last,
      let start = low.unicodeScalars.first, let end = high.unicodeScalars.first,
      low.unicodeScalars.count == 1, high.unicodeScalars.count == 1
    else { throw error("a range needs a single character at each end") }
    guard start <= end else { throw error("the range is in descending order") }
    return .range(start...end)
  }

  private mutating func memberCharacter() throws(RegularExpressionError) -> CharacterTest.Kind {
    guard let character = next else { throw error("unclosed `[`") }
    position += 1
    return character == "\\" ? try escape() : .character(character)
  }

  private mutating func namedClass() throws(RegularExpressionError) -> CharacterTest.Kind {
    let isNegated = take("^")
    let name = takeText(upTo: ":")
    guard take(":]") else { throw error("missing `:]`") }
    guard let kind = CharacterTest.Kind(property: name) else {
      throw error("unknown character class `\(name)`")
    }
    return isNegated ? .not(kind) : kind
  }

  /// The rest of an escape after its backslash: one character, or a kind of characters.
  mutating func escape() throws(RegularExpressionError) -> CharacterTest.Kind {
    guard let character = next else { throw error("expected a character after the last backslash") }
    position += 1
    switch character {
    case "d": return .digit
    case "D": return .not(.digit)
    case "w": return .word
    case "W": return .not(.word)
    case "s": return .space
    case "S": return .not(.space)
    case "n": return .character("\n")
    case "r": return .character("\r")
    case "t": return .character("\t")
    case "f": return .character("\u{C}")
    case "a": return .character("\u{7}")
    case "e": return .character("\u{1B}")
    case "x": return .character(try scalar(digits: 2))
    case "u": return .character(try scalar(digits: 4))
    case "p": return try property()
    case "P": return .not(try property())
    case "1"..."9", "k":
      throw error("backreferences are not supported")
    case _ where character.isLetter || character.isNumber:
      throw error("unknown escape `\\\(character)`")
    default: return .character(character)
    }
  }

  private mutating func property() throws(RegularExpressionError) -> CharacterTest.Kind {
    guard take("{") else { throw error("expected `{` after `\\p`") }
    let name = takeText(upTo: "}")
    guard take("}") else { throw error("missing `}`") }
    guard let kind = CharacterTest.Kind(property: name) else {
      throw error("unknown character property `\(name)`")
    }
    return kind
  }

  private mutating func scalar(digits: Int) throws(RegularExpressionError) -> Character {
    var text = ""
    if take("{") {
      text = takeText(upTo: "}")
      guard take("}") else { throw error("missing `}`") }
    } else {
      while text.count < digits, let digit = next, digit.isHexDigit {
        text.append(digit)
        position += 1
      }
      if text.count < digits { throw error("expected \(digits) hexadecimal digits") }
    }
    guard text.count <= 8, let value = UInt32(text, radix: 16), let scalar = Unicode.Scalar(value)
    else { throw error("invalid character code") }
    return Character(scalar)
  }

  private mutating func takeText(upTo end: Character) -> String {
    let start = position
    while next != nil, next != end { position += 1 }
    return String(characters[start..<position])
  }
}
