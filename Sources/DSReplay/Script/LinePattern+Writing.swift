extension LinePattern {
  /// The pattern as it is written after its marker, the end of the line not yet minded.
  func written(_ braces: Braces) -> String {
    if braces == .lenient, let text = plainText, Self.isPlain(text) { return text }
    return segments.map(Self.written).joined()
  }

  private static func written(_ segment: Segment) -> String {
    switch segment {
    case .text(let bytes): doubledBraces(String(decoding: bytes, as: UTF8.self))
    case .hole(_, _, let text), .reference(_, _, let text): "{\(text)}"
    }
  }

  /// Whether a text without doubled braces reads as itself in an error line, whatever names there are.
  private static func isPlain(_ text: String) -> Bool {
    if !text.utf8.contains(UInt8(ascii: "{")), !text.utf8.contains(UInt8(ascii: "}")) {
      return true
    }
    let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
    let read = try? LinePattern(parsing: text, .lenient, known: Set(words))
    return read?.plainText.map { $0.utf8.elementsEqual(text.utf8) } ?? false
  }

  private static func doubledBraces(_ text: String) -> String {
    var doubled = ""
    for scalar in text.unicodeScalars {
      if scalar == "{" || scalar == "}" { doubled.unicodeScalars.append(scalar) }
      doubled.unicodeScalars.append(scalar)
    }
    return doubled
  }
}
