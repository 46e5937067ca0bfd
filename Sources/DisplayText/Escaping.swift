extension String {
  /// The text on one line, safe for a terminal and for XML: control characters, line separators,
  /// bidirectional controls and marks, and the noncharacters U+FFFE and U+FFFF are written as the
  /// escapes of a string literal.
  ///
  /// - Parameters:
  ///   - keepsTabs: whether tabs are kept.
  ///   - keepsLines: whether line feeds are kept.
  package func escapingControls(keepsTabs: Bool = false, keepsLines: Bool = false) -> String {
    escaping(keepsTabs, keepsLines) { $0.escape }
  }

  /// JSON with the same values, safe for a terminal: inside its strings, the characters that
  /// ``escapingControls(keepsTabs:keepsLines:)`` escapes are written as escapes of JSON. The white
  /// space between values is kept.
  package func escapingControlsInJSON() -> String {
    escaping(true, true) { scalar in
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
  }

  private func escaping(
    _ keepsTabs: Bool, _ keepsLines: Bool, _ escape: (Unicode.Scalar) -> String
  ) -> String {
    if isPrintableASCII { return self }
    guard unicodeScalars.contains(where: \.needsEscape) else { return self }
    // Collects bytes: appending to a view of scalars would copy the view each time.
    var escaped: [UInt8] = []
    escaped.reserveCapacity(utf8.count * 5 / 4)
    for scalar in unicodeScalars {
      if !scalar.needsEscape || (keepsTabs && scalar == "\t") || (keepsLines && scalar == "\n") {
        if let encoded = UTF8.encode(scalar) { escaped += encoded }
      } else {
        escaped += escape(scalar).utf8
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }
}

extension Unicode.Scalar {
  /// Whether the character controls a terminal, or hides or reorders text.
  package var needsEscape: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069,
      0xFFFE...0xFFFF:
      true
    default: false
    }
  }

  fileprivate var escape: String {
    switch self {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case "\0": "\\0"
    default: "\\u{\(String(value, radix: 16))}"
    }
  }
}

extension String {
  /// The text as the content of an element, or the value of an attribute, of HTML or XML: `<` is
  /// `&lt;`. Control characters are written as the escapes of a string literal.
  package var escapedForMarkup: String {
    var text = ""
    for scalar in escapingControls().unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
