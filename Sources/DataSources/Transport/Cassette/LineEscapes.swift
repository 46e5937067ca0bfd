/// Escapes for characters that are invisible in a line.
enum LineEscapes {
  /// Whether a scalar is invisible: a control character other than the tab, a direction mark, a
  /// byte order mark, or U+2028 or U+2029, which some editors treat as line ends.
  static func mustEscape(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09: false
    case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }

  static func escaped(_ text: String) -> String {
    var escaped = ""
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let isLast = index == scalars.count - 1
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\r": escaped += "\\r"
      case "\n": escaped += "\\n"
      case "\t" where isLast: escaped += "\\t"
      case " " where isLast: escaped += "\\s"
      case _ where mustEscape(scalar): escaped += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Returns nil for an invalid escape.
  static func unescaped(_ text: Substring) -> String? {
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars
    while let scalar = rest.popFirst() {
      guard scalar == "\\" else {
        result.append(scalar)
        continue
      }
      switch rest.popFirst() {
      case "\\": result.append("\\")
      case "r": result.append("\r")
      case "n": result.append("\n")
      case "t": result.append("\t")
      case "s": result.append(" ")
      case "u":
        guard rest.popFirst() == "{" else { return nil }
        let digits = rest.prefix { $0 != "}" }
        rest = rest.dropFirst(digits.count + 1)
        guard let number = UInt32(String(digits), radix: 16), let named = Unicode.Scalar(number)
        else { return nil }
        result.append(named)
      default: return nil
      }
    }
    return String(result)
  }
}
