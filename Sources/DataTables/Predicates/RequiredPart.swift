/// Finds strings that are part of every plain text that an expression matches (``PlainScalars``).
struct RequiredPart {
  /// Whether the texts are in lowercase.
  let isLowercase: Bool
  /// The longest such string so far.
  private(set) var longest = ""
  /// The characters before the current place that are certain.
  private var current = ""

  private static let maxRepeated = 16

  init(isLowercase: Bool) { self.isLowercase = isLowercase }

  /// Adds the parts of a whole expression, or of its next node.
  /// - Complexity: O(instructions of the expression).
  mutating func add(_ node: RegularExpression.Node) {
    switch node {
    case .empty, .boundary: break
    case .character(let test):
      guard let character = certain(test) else { return end() }
      current += character
      if current.utf8.count > longest.utf8.count { longest = current }
    case .sequence(let nodes): for node in nodes { add(node) }
    case .group(_, let node): add(node)
    case .alternatives: end()
    case .repetition(let node, let minimum, let maximum, _):
      guard minimum > 0 else { return end() }
      if minimum == maximum, minimum <= Self.maxRepeated {
        for _ in 0..<minimum { add(node) }
      } else {
        // The first repetition follows what is before it, and the last is followed by what is after
        // it.
        add(node)
        end()
        add(node)
      }
    }
  }

  private mutating func end() { current = "" }

  /// The character that a test accepts, if the bytes of a plain text can be it in no other way.
  private func certain(_ test: CharacterTest) -> String? {
    guard !test.isNegated, test.kinds.count == 1, case .character(let character) = test.kinds[0]
    else { return nil }
    let text = String(character).composed
    guard Array(text.utf8).withUnsafeBytes({ $0.isPlain }) else { return nil }
    guard test.ignoresCase else {
      // No text in lowercase contains an uppercase character.
      return isLowercase && text.lowercased() != text ? nil : text
    }
    guard let byte = character.asciiValue, text.utf8.count == 1 else { return nil }
    if byte.lowercased == byte, (byte | 0x20) &- UInt8(ascii: "a") >= 26 { return text }
    return isLowercase ? text.lowercased() : nil
  }
}
