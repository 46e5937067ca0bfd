extension DerivedKey {
  static let stringKeys: [DerivedKey] = [
    string("firstCharacter", "the first character, nothing for \"\"") {
      $0.first.map { .string(String($0)) } ?? .null
    },
    string("uppercased", "in capital letters") { .string($0.uppercased()) },
    string("lowercased", "in small letters") { .string($0.lowercased()) },
    string("capitalized", "every word with a capital letter") { .string(capitalized($0)) },
    string("length", "the number of characters") { .integer($0.count) },
    string("folded", "without case and accents") { .string(folded($0)) },
    string("initials", "the first characters of the words, in capital letters") {
      .string(initials($0))
    },
    string("trimmed", "without white space at both ends") { .string(trimmed($0)) },
  ]

  private static func string(
    _ name: String, _ summary: String, _ function: @escaping @Sendable (String) -> Value
  ) -> DerivedKey {
    DerivedKey(name: name, summary: summary, function: .string(function))
  }

  private static func capitalized(_ string: String) -> String {
    var result = ""
    var isInWord = false
    for character in string {
      result += isInWord ? character.lowercased() : character.uppercased()
      // An apostrophe goes on with a word, so that "don't" becomes "Don't".
      isInWord =
        character.isLetter || character.isNumber
        || isInWord && (character == "'" || character == "\u{2019}")
    }
    return result
  }

  private static func initials(_ string: String) -> String {
    string.split(whereSeparator: \.isWhitespace).compactMap(\.first).reduce(into: "") {
      $0 += $1.uppercased()
    }
  }

  private static func trimmed(_ string: String) -> String {
    guard let start = string.firstIndex(where: { !$0.isWhitespace }),
      let end = string.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(string[start...end])
  }
}
