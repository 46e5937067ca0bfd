extension String {
  /// The text on one line, safe for a terminal: control characters, line separators and
  /// bidirectional controls are written as the escapes of a string literal.
  ///
  /// - Parameter keepsTabs: whether tabs are kept.
  package func escapingControls(keepsTabs: Bool = false) -> String {
    if isPrintableASCII { return self }
    guard unicodeScalars.contains(where: \.needsEscape) else { return self }
    // Collects bytes: appending to a view of scalars would copy the view each time.
    var escaped: [UInt8] = []
    escaped.reserveCapacity(utf8.count * 5 / 4)
    for scalar in unicodeScalars {
      if !scalar.needsEscape || (keepsTabs && scalar == "\t") {
        if let encoded = UTF8.encode(scalar) { escaped += encoded }
      } else {
        escaped += scalar.escape.utf8
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }
}

extension Unicode.Scalar {
  fileprivate var needsEscape: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
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
