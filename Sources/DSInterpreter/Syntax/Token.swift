import DataTables

/// A token of a script, as scanned in a ``Scanner/Mode``.
///
/// It stores only the range of its text: most tokens are compared several times, and few need their
/// text (``Scanner/text(of:)``).
struct Token: Equatable {
  enum Kind: Equatable {
    /// An unquoted word: a name, a path, a number, `A...Z`.
    case word
    case quoted
    /// A word or quoted string, with the colon after it.
    case label
    /// `( ) [ ] { } , |`.
    case punctuation(UInt8)
    /// In expressions only.
    case symbol(Symbol)
    /// A line end or `;`.
    case separator
    case end
  }

  enum Symbol: Equatable {
    case assignment, not, and, or
    case comparison(ComparisonOperator.Kind)
  }

  let kind: Kind
  let start: Int
  let end: Int

  func `is`(_ punctuation: Unicode.Scalar) -> Bool {
    if case .punctuation(let byte) = kind { byte == UInt8(ascii: punctuation) } else { false }
  }

  /// Whether the token is the same in every ``Scanner/Mode``. Words differ between modes, and so
  /// does `|`, which may begin `||`.
  var isSameInAllModes: Bool {
    switch kind {
    case .punctuation(let byte): byte != UInt8(ascii: "|")
    case .separator, .end: true
    default: false
    }
  }

  /// Whether the token can begin a value among arguments.
  var beginsAtom: Bool {
    switch kind {
    case .word, .quoted: true
    default: self.is("(") || self.is("[") || self.is("{")
    }
  }

  /// Whether the command ends before the token.
  var endsCommand: Bool {
    switch kind {
    case .separator, .end: true
    default: false
    }
  }
}

// Comparisons with words, without allocating a string.
extension Token {
  /// Whether the token is this unquoted word, in the same case.
  func isWord(_ word: StaticString, in script: ScriptText) -> Bool {
    kind == .word && holds(word, script) { $0 }
  }

  /// Whether the token is the symbol of an operator, or the word for that operator in any case.
  ///
  /// - Parameter word: letters only, in lower case.
  func isOperator(_ word: StaticString, _ symbol: Symbol, in script: ScriptText) -> Bool {
    switch kind {
    case .word: holds(word, script) { $0 | 0x20 }
    case .symbol(let found): found == symbol
    default: false
    }
  }

  private func holds(
    _ word: StaticString, _ script: ScriptText, _ folded: (UInt8) -> UInt8
  ) -> Bool {
    guard word.utf8CodeUnitCount == end - start else { return false }
    return word.withUTF8Buffer { word in
      word.indices.allSatisfy { word[$0] == folded(script.bytes[start + $0]) }
    }
  }
}
