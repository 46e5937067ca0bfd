import TestSupport

@testable import DataTables

/// Random JSON texts and random damage to them.
struct JSONTexts {
  var random: SplitMix64
  /// Whether the current text has hardly any space, so that its rows are written alike.
  private var isTight = false

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private static let keys = ["a", "b", "long key with spaces", "é", #"q\"uote"#, #"\u0061"#, ""]
  private static let scalars = [
    "null", "true", "false", "0", "-1", "12345678901234567890", "1.50", "-0", "1e5", "2E-3", "42",
    "0.5", "-12.25", "1234567", "12345678", "0.1234567", "0.12345678", "1.5e3", "-0.0",
    #""""#, #""plain""#, #""é😀 and more text to fill words""#, #""\n\t\"\\\/\b\f\r""#,
    #""\u00e9\ud83d\ude00""#, #""\ud800x""#, #""\udc00\ud800\ud800""#, "\"\u{7F}\"",
  ]

  mutating func document() -> [UInt8] {
    isTight = random.below(2) == 0
    return switch random.below(8) {
    case 0: Array((space() + value(depth: 3) + space()).utf8)
    default: Array(array(of: random.below(40)).utf8)
    }
  }

  private mutating func array(of rows: Int) -> String {
    let elements = (0..<rows).map { _ in space() + row() + space() }
    return space() + "[" + elements.joined(separator: ",") + space() + "]" + space()
  }

  mutating func lines() -> [UInt8] {
    isTight = random.below(2) == 0
    var text = ""
    for _ in 0..<random.below(40) {
      text += random.one(of: ["", "", " ", "\t"]) + row(newlines: false)
      text += random.one(of: ["\n", "\n", "\n", "\r\n", "\r", " \n\n", "\n \t\n"])
    }
    return Array(text.utf8)
  }

  private mutating func row(newlines: Bool = true) -> String {
    random.below(30) == 0
      ? value(depth: 2, newlines: newlines) : record(depth: 2, newlines: newlines)
  }

  private mutating func space(_ newlines: Bool = true) -> String {
    if isTight, random.below(40) > 0 { return "" }
    let choices = ["", "", "", " ", "  ", newlines ? "\n" : "", newlines ? "\r\n\t" : "\t"]
    return random.one(of: choices)
  }

  private mutating func value(depth: Int, newlines: Bool = true) -> String {
    switch random.below(depth > 0 ? 8 : 6) {
    case 6: return record(depth: depth - 1, newlines: newlines)
    case 7:
      let elements = (0..<random.below(4)).map { _ in
        space(newlines) + value(depth: depth - 1, newlines: newlines) + space(newlines)
      }
      return "[" + (elements.isEmpty ? space(newlines) : elements.joined(separator: ",")) + "]"
    default:
      return switch random.below(4) {
      case 0: longString()
      case 1: longNumber()
      default: random.one(of: Self.scalars)
      }
    }
  }

  /// A string of up to about twice the width of a vector, in which any character may end the plain
  /// text.
  private mutating func longString() -> String {
    let letters = (0..<random.below(40)).map { _ in
      random.below(20) == 0 ? random.one(of: ["é", "漢", "😀", #"\n"#, #"\""#, #"\u0041"#]) : "x"
    }
    return "\"" + letters.joined() + "\""
  }

  private mutating func longNumber() -> String {
    func digits(_ random: inout SplitMix64) -> String {
      (0...random.below(12)).map { _ in String(random.below(10)) }.joined()
    }
    let whole = random.below(4) == 0 ? "0" : String(1 + random.below(9)) + digits(&random)
    let fraction = random.below(2) == 0 ? "" : "." + digits(&random)
    return random.one(of: ["", "-"]) + whole + fraction + random.one(of: ["", "", "", "e7"])
  }

  private mutating func record(depth: Int, newlines: Bool) -> String {
    let members = Self.keys.prefix(1 + random.below(Self.keys.count)).compactMap { key -> String? in
      if random.below(8) == 0 { return nil }
      let key = random.below(20) == 0 ? random.one(of: Self.keys) : key
      let value = value(depth: depth, newlines: newlines)
      return "\(space(newlines))\"\(key)\"\(space(newlines)):\(space(newlines))\(value)"
    }
    let inside = members.isEmpty ? "" : members.joined(separator: ",")
    return "{" + inside + space(newlines) + "}"
  }

  /// Some keys of the objects and one that none has; often no keys.
  mutating func someKeys() -> [String] {
    let names = ["a", "b", "long key with spaces", "é", "q\"uote", "", "missing"]
    return random.below(3) == 0 ? [] : names.filter { _ in random.below(2) == 0 }
  }

  mutating func broken(_ text: [UInt8]) -> [UInt8] {
    var text = text
    for _ in 0..<random.below(4) {
      let place = random.below(text.count + 1)
      switch random.below(6) {
      case 0 where place < text.count: text[place] ^= 1 << UInt8(random.below(8))
      case 1 where place < text.count: text.remove(at: place)
      case 2: text.removeSubrange(place...)
      case 3 where place < text.count: text.insert(text[place], at: place)
      default:
        text.insert(
          random.one(
            of: Array("{}[]\",:\\0-.eE1tn \n\r\t\0\u{7F}/u".utf8) + [0xC3, 0xA9, 0xFF, 0xED]),
          at: place)
      }
    }
    return text
  }
}
