import DSRendering

extension String {
  /// The text as a word of a shell, in quotes where it needs them; what would leave its line stands as
  /// `$'\012'`.
  var shellWord: String {
    if !isEmpty, unicodeScalars.allSatisfy(\.isPlainInShell) { return self }
    if utf8.elementsEqual(escapingControls().utf8) {
      return "'" + replacing("'", with: "'\\''") + "'"
    }
    return "$'" + unicodeScalars.map(\.inDollarQuotes).joined() + "'"
  }
}

extension Unicode.Scalar {
  fileprivate var isPlainInShell: Bool {
    switch self {
    case "0"..."9", "_", ".", "/", ":", "@", "%", "+", ",", "-": true
    default: properties.isAlphabetic
    }
  }

  fileprivate var inDollarQuotes: String {
    if self == "'" || self == "\\" { return "\\" + String(self) }
    let text = String(self)
    if text.utf8.elementsEqual(text.escapingControls().utf8) { return text }
    return text.utf8.map { byte in
      let octal = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - octal.count) + octal
    }.joined()
  }
}
