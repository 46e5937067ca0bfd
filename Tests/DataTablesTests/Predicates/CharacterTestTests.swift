import Testing

@testable import DataTables

struct CharacterTestTests {
  @Test func asciiCharactersMatchAsOthersDo() throws {
    let expressions = [
      ".", "(?s).", #"\s"#, #"\S"#, #"\w"#, #"\W"#, #"\d"#, #"\D"#, "a", "[a-f]", "[^a-f0-9_]",
      #"[\w-]"#, #"\p{Lu}"#, #"\P{Lu}"#, "(?i)k", "(?i)[a-k]", #"[^\s"]"#, "é", "\n",
    ]
    for expression in expressions {
      var parser = RegularExpressionParser(expression, ignoresCase: false)
      guard case .character(let test) = try parser.parse().single else {
        Issue.record("\(expression)")
        continue
      }
      for byte in 0..<128 as Range<UInt8> {
        let character = Character(Unicode.Scalar(byte))
        #expect(test.matches(ascii: byte) == test.matches(character), "\(expression) \(byte)")
      }
    }
  }
}

extension RegularExpression.Node {
  /// The only node that is not empty.
  fileprivate var single: Self {
    guard case .sequence(let nodes) = self else { return self }
    return nodes.first { if case .empty = $0 { false } else { true } } ?? self
  }
}
