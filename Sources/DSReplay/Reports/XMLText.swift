/// Text as it stands in XML 1.0.
enum XMLText {
  /// What XML has no way to write becomes U+FFFD.
  /// - Parameter isAttribute: whether ends of lines and tabs must survive the reading of an attribute.
  static func escaped(_ text: String, isAttribute: Bool = false) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;".unicodeScalars
      case "<": escaped += "&lt;".unicodeScalars
      // `]]>` may not stand in text.
      case ">": escaped += "&gt;".unicodeScalars
      case "\"": escaped += "&quot;".unicodeScalars
      // A reader makes a line feed of it otherwise.
      case "\r": escaped += "&#13;".unicodeScalars
      case "\n" where isAttribute: escaped += "&#10;".unicodeScalars
      case "\t" where isAttribute: escaped += "&#9;".unicodeScalars
      default: escaped.append(isLegal(scalar) ? scalar : "\u{FFFD}")
      }
    }
    return String(escaped)
  }

  /// The production `Char` of XML 1.0, section 2.2; surrogates are no scalars anyway.
  private static func isLegal(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }
}
