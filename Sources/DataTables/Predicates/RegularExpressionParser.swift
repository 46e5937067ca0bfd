/// Parses a regular expression in the notation that ICU and Swift share, without the features that
/// ``RegularExpression`` excludes.
struct RegularExpressionParser {
  let characters: [Character]
  var position = 0
  private var ignoresCase: Bool
  private var dotMatchesLineEnds = false
  private var depth = 0

  init(_ pattern: String, ignoresCase: Bool) {
    characters = Array(pattern)
    self.ignoresCase = ignoresCase
  }

  var next: Character? { position < characters.count ? characters[position] : nil }

  mutating func take(_ character: Character) -> Bool {
    guard next == character else { return false }
    position += 1
    return true
  }

  mutating func take(_ text: String) -> Bool {
    guard characters[position...].starts(with: text) else { return false }
    position += text.count
    return true
  }

  func error(_ message: String) -> RegularExpressionError {
    RegularExpressionError(message: message, position: position)
  }

  mutating func parse() throws(RegularExpressionError) -> RegularExpression.Node {
    let node = try alternatives()
    guard next == nil else { throw error("unmatched `)`") }
    return node
  }

  private mutating func alternatives() throws(RegularExpressionError) -> RegularExpression.Node {
    depth += 1
    guard depth <= 100 else { throw error("groups are nested more than 100 deep") }
    let flags = (ignoresCase, dotMatchesLineEnds)
    var nodes = [try sequence()]
    while take("|") { nodes.append(try sequence()) }
    // Flags apply until the end of their group.
    (ignoresCase, dotMatchesLineEnds) = flags
    depth -= 1
    return nodes.count == 1 ? nodes[0] : .alternatives(nodes)
  }

  private mutating func sequence() throws(RegularExpressionError) -> RegularExpression.Node {
    var nodes: [RegularExpression.Node] = []
    while let character = next, character != "|", character != ")" {
      nodes.append(try quantified(try atom()))
    }
    return nodes.count == 1 ? nodes[0] : .sequence(nodes)
  }

  private mutating func quantified(
    _ node: RegularExpression.Node
  ) throws(RegularExpressionError) -> RegularExpression.Node {
    var result = node
    var isQuantified = false
    while let (minimum, maximum) = try quantifier() {
      if isQuantified { throw error("a quantifier follows another quantifier") }
      isQuantified = true
      if take("+") { throw error("possessive quantifiers are not supported") }
      let isLazy = take("?")
      result = .repetition(node, minimum: minimum, maximum: maximum, isLazy: isLazy)
    }
    return result
  }

  private mutating func quantifier() throws(RegularExpressionError) -> (
    minimum: Int, maximum: Int?
  )? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    guard take("{") else { return nil }
    guard let minimum = number() else { throw error("expected a number after `{`") }
    var maximum: Int? = minimum
    if take(",") { maximum = number() }
    guard take("}") else { throw error("missing `}`") }
    guard max(minimum, maximum ?? 0) <= 1_000 else { throw error("more than 1000 repetitions") }
    if let maximum, maximum < minimum {
      throw error("the lower bound is greater than the upper bound")
    }
    return (minimum, maximum)
  }

  private mutating func number() -> Int? {
    var digits = ""
    while let digit = next, digit.isASCII, digit.isNumber {
      digits.append(digit)
      position += 1
    }
    return digits.isEmpty ? nil : Int(digits) ?? .max
  }

  private mutating func atom() throws(RegularExpressionError) -> RegularExpression.Node {
    guard let character = next else { return .empty }
    switch character {
    case "*", "+", "?", "{": throw error("`\(character)` has nothing to repeat")
    case "(":
      position += 1
      return try group()
    case "[":
      position += 1
      return .character(try set())
    default: position += 1
    }
    switch character {
    case "^": return .boundary(.start)
    case "$": return .boundary(.end)
    case ".": return .character(test(dotMatchesLineEnds ? .any : .anyButLineEnd))
    case "\\": return try escaped()
    default: return .character(test(.character(character)))
    }
  }

  func test(_ kind: CharacterTest.Kind) -> CharacterTest {
    CharacterTest(kinds: [kind], ignoresCase: ignoresCase)
  }

  private mutating func escaped() throws(RegularExpressionError) -> RegularExpression.Node {
    switch next {
    case "b": position += 1; return .boundary(.word)
    case "B": position += 1; return .boundary(.notWord)
    case "A": position += 1; return .boundary(.start)
    case "z", "Z": position += 1; return .boundary(.end)
    default: return .character(test(try escape()))
    }
  }

  private mutating func group() throws(RegularExpressionError) -> RegularExpression.Node {
    let outer = (ignoresCase, dotMatchesLineEnds)
    var name: String?
    if take("?") {
      _ =
        next == "P" && position + 1 < characters.count && characters[position + 1] == "<"
        && take("P")
      switch next {
      case ":": position += 1
      case "=", "!": throw error("lookahead is not supported")
      case ">": throw error("atomic groups are not supported")
      case "<":
        position += 1
        if next == "=" || next == "!" { throw error("lookbehind is not supported") }
        let start = position
        while next != nil, next != ">" { position += 1 }
        name = String(characters[start..<position])
        guard take(">") else { throw error("missing `>` after the name of a group") }
        if name?.isEmpty ?? true { throw error("expected the name of a group") }
      default:
        if try flags() { return .empty }
      }
    }
    let node = try alternatives()
    guard take(")") else { throw error("unclosed `(`") }
    (ignoresCase, dotMatchesLineEnds) = outer
    return name.map { .group($0, node) } ?? node
  }

  /// Applies the flags `i` and `s`; flags after a minus are turned off.
  /// - Returns: whether the flags apply to the rest of the enclosing group, as in `(?i)`.
  private mutating func flags() throws(RegularExpressionError) -> Bool {
    var isOn = true
    while let flag = next {
      position += 1
      switch flag {
      case "-": isOn = false
      case "i": ignoresCase = isOn
      case "s": dotMatchesLineEnds = isOn
      case ")": return true
      case ":": return false
      default:
        position -= 1
        throw error("unknown flag `\(flag)`; expected i or s")
      }
    }
    throw error("unclosed `(`")
  }

  /// The rest of a set after its `[`, including the `]`.
  private mutating func set() throws(RegularExpressionError) -> CharacterTest {
    var test = CharacterTest(kinds: [], ignoresCase: ignoresCase)
    test.isNegated = take("^")
    // Characters are looked up together: a set may contain thousands.
    var characters: Set<Character> = []
    var isFirst = true
    while let character = next {
      if character == "]", !isFirst {
        position += 1
        if characters.count > 1 {
          test.kinds.append(.oneOf(characters))
        } else {
          test.kinds += characters.map { .character($0) }
        }
        return test
      }
      isFirst = false
      let member = try setMember()
      if case .character(let character) = member {
        characters.insert(character)
      } else {
        test.kinds.append(member)
      }
    }
    throw error("unclosed `[`")
  }
}
