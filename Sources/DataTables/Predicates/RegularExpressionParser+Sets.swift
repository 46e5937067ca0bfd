// Sets of characters and what stands for one.
extension RegularExpressionParser {
  /// A character, a range, an escape or `[:name:]` inside of `[…]`.
  mutating func member() throws(RegularExpressionError) -> CharacterTest.Kind {
    if take("[:") { return try named() }
    if next == "[" || take("&&") || take("--") {
      throw error("sets in sets are not taken; write `\\[` for the character")
    }
    let first = try single()
    guard next == "-", position + 1 < characters.count, characters[position + 1] != "]" else {
      return first
    }
    position += 1
    let last = try single()
    guard case .character(let low) = first, case .character(let high) = last,
      let start = low.unicodeScalars.first, let end = high.unicodeScalars.first,
      low.unicodeScalars.count == 1, high.unicodeScalars.count == 1
    else { throw error("a range goes from one character to another") }
    guard start <= end else { throw error("the range goes down") }
    return .range(start...end)
  }

  private mutating func single() throws(RegularExpressionError) -> CharacterTest.Kind {
    guard let character = next else { throw error("a `[` is not closed") }
    position += 1
    return character == "\\" ? try escape() : .character(character)
  }

  private mutating func named() throws(RegularExpressionError) -> CharacterTest.Kind {
    let isNegated = take("^")
    let name = takeText(upTo: ":")
    guard take(":]") else { throw error("`:]` is missing") }
    guard let kind = CharacterTest.Kind(property: name) else {
      throw error("`\(name)` is no class of characters")
    }
    return isNegated ? .not(kind) : kind
  }

  /// What follows a backslash and stands for one character.
  mutating func escape() throws(RegularExpressionError) -> CharacterTest.Kind {
    guard let character = next else { throw error("nothing comes after the last backslash") }
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
      throw error("a reference to a group is not taken")
    case _ where character.isLetter || character.isNumber:
      throw error("`\\\(character)` means nothing")
    default: return .character(character)
    }
  }

  private mutating func property() throws(RegularExpressionError) -> CharacterTest.Kind {
    guard take("{") else { throw error("`{` comes after `\\p`") }
    let name = takeText(upTo: "}")
    guard take("}") else { throw error("`}` is missing") }
    guard let kind = CharacterTest.Kind(property: name) else {
      throw error("`\(name)` is no property of characters")
    }
    return kind
  }

  private mutating func scalar(digits: Int) throws(RegularExpressionError) -> Character {
    var text = ""
    if take("{") {
      text = takeText(upTo: "}")
      guard take("}") else { throw error("`}` is missing") }
    } else {
      while text.count < digits, let digit = next, digit.isHexDigit {
        text.append(digit)
        position += 1
      }
      if text.count < digits { throw error("\(digits) hexadecimal digits come") }
    }
    guard text.count <= 8, let value = UInt32(text, radix: 16), let scalar = Unicode.Scalar(value)
    else { throw error("there is no such character") }
    return Character(scalar)
  }

  private mutating func takeText(upTo end: Character) -> String {
    let start = position
    while next != nil, next != end { position += 1 }
    return String(characters[start..<position])
  }
}
