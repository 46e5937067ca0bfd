/// The name of a type with its arguments: `Array(Nullable(String))`, `Decimal(10, 2)`,
/// `Enum8('a' = 1)`, `DateTime('Europe/Paris')`.
struct TypeName: Equatable, Sendable {
  let name: String
  /// As they are written, without the blanks around them.
  let arguments: [String]

  /// Returns nil if the text is not a name, optionally followed by arguments in parentheses.
  init?(_ text: String) {
    let open = text.firstIndex(of: "(") ?? text.endIndex
    name = String(text[..<open])
    guard let first = name.utf8.first, Self.isLetter(first),
      name.utf8.allSatisfy({ Self.isLetter($0) || (0x30...0x39).contains($0) })
    else { return nil }
    guard open < text.endIndex else {
      arguments = []
      return
    }
    guard text.last == ")",
      let parts = Self.parts(of: text[text.index(after: open)...].dropLast(), separator: ",")
    else { return nil }
    arguments = parts.filter { !$0.isEmpty }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_")
  }

  /// The parts of a list between separators that are outside of parentheses and quotes, without the
  /// blanks around them; nil for parentheses or quotes that do not match.
  static func parts(of text: some StringProtocol, separator: Unicode.Scalar) -> [String]? {
    var parts: [String] = []
    var part = String.UnicodeScalarView()
    var depth = 0
    var quote: Unicode.Scalar?
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if quote == nil, depth == 0, scalar == separator {
        parts.append(trimmed(part))
        part = String.UnicodeScalarView()
        continue
      }
      part.append(scalar)
      if isEscaped {
        isEscaped = false
      } else if let open = quote {
        if scalar == "\\" { isEscaped = true } else if scalar == open { quote = nil }
      } else if scalar == "'" || scalar == "`" || scalar == "\"" {
        quote = scalar
      } else if scalar == "(" || scalar == "[" {
        depth += 1
      } else if scalar == ")" || scalar == "]" {
        depth -= 1
        guard depth >= 0 else { return nil }
      }
    }
    parts.append(trimmed(part))
    return depth == 0 && quote == nil ? parts : nil
  }

  private static func trimmed(_ scalars: String.UnicodeScalarView) -> String {
    let isBlank: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\n" || $0 == "\t" }
    let rest = Substring(String(scalars)).unicodeScalars.drop(while: isBlank)
    guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(rest[...last])
  }
}
