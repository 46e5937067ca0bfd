import Foundation

/// Names in a programming language, made from names and keys of a session.
struct Identifier {
  /// Words that the language reserves.
  let reserved: Set<String>
  /// Types that the code may use; a type of the app with such a name would hide it or clash with it.
  let types: Set<String>

  /// `firstName` for `first_name`, `unit price` or `First Name`; `value` for a text without a letter.
  func lower(_ text: String) -> String {
    let words = Self.words(of: text)
    guard let first = words.first else { return "value" }
    let rest = words.dropFirst().map(Self.capitalized)
    return safe((Self.lowercased(first) + rest.joined()))
  }

  /// `FirstName` for `first_name`; `Value` for a text without a letter.
  func upper(_ text: String) -> String {
    let words = Self.words(of: text).map(Self.capitalized)
    return safe(words.isEmpty ? "Value" : words.joined())
  }

  /// The name of a type for a list: `Letters`, or `DatesList` if the name is taken.
  ///
  /// - Parameter row: the type of the rows of the list.
  func list(_ text: String, of row: String = "") -> String {
    let name = upper(text)
    return types.contains(name) || name == row ? name + "List" : name
  }

  /// The name of one object of a list: `Food` for `foods`, `City` for `cities`, `PeopleRow` for
  /// `people`, `DateRow` for `dates`.
  func singular(_ text: String) -> String {
    let name = withoutPlural(upper(text))
    return types.contains(name) || reserved.contains(name) ? name + "Row" : name
  }

  private func withoutPlural(_ name: String) -> String {
    let lower = name.lowercased()
    if lower.hasSuffix("ies"), name.count > 4 { return name.dropLast(3) + "y" }
    if ["sses", "xes", "ches", "shes"].contains(where: lower.hasSuffix) {
      return String(name.dropLast(2))
    }
    if lower.hasSuffix("s"), !lower.hasSuffix("ss"), name.count > 2 {
      return String(name.dropLast())
    }
    return name + "Row"
  }

  private func safe(_ name: String) -> String {
    let name = name.first.map { $0.isNumber } == true ? "_" + name : name
    return reserved.contains(name) ? name + "Value" : name
  }

  /// The words of a text: letters and digits of ASCII, with accents removed from Latin letters. Other
  /// letters have no ASCII form; each is written as its scalar, `u4e2d`.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var isOpen = false
    for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
      // An accent after its letter.
      if scalar.properties.generalCategory == .nonspacingMark { continue }
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || isDigit(scalar))
      let piece: String
      if isPlain {
        piece = String(scalar)
      } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
        piece = "u" + String(scalar.value, radix: 16)
        isOpen = false
      } else {
        isOpen = false
        continue
      }
      if isOpen, let last = words.indices.last {
        words[last] += piece
      } else {
        words.append(piece)
      }
      isOpen = isPlain
    }
    return words
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func capitalized(_ word: String) -> String {
    word.prefix(1).uppercased() + word.dropFirst()
  }

  /// `id` for `ID`, `url` for `URL`, `byCity` for `ByCity`.
  private static func lowercased(_ word: String) -> String {
    if word.allSatisfy({ !$0.isLowercase }) { return word.lowercased() }
    return word.prefix(1).lowercased() + word.dropFirst()
  }
}

/// The names that a scope has already used.
struct UniqueNames {
  private var used: Set<String>

  init(_ used: Set<String> = []) { self.used = used }

  /// `name`, or with a number after it if the name is taken: `name2`.
  mutating func unique(_ name: String) -> String {
    var result = name
    var number = 2
    while !used.insert(result).inserted {
      result = "\(name)\(number)"
      number += 1
    }
    return result
  }
}
