/// A piece of a script; what the pieces are depends on the ``Scanner/Mode``.
struct Token {
  enum Kind: Equatable {
    /// Anything bare: a name, a path, a number, `A...Z`.
    case word(String)
    case quoted(String)
    /// Without its colon.
    case label(String)
    /// `( ) [ ] { } , |`.
    case punctuation(UInt8)
    /// `== != < <= > >= = ! && ||`, in expressions only.
    case symbol(String)
    /// A line end or `;`.
    case separator
    case end
  }
  let kind: Kind
  let start: Int
  let end: Int

  func `is`(_ punctuation: Unicode.Scalar) -> Bool {
    if case .punctuation(let byte) = kind { byte == UInt8(ascii: punctuation) } else { false }
  }

  /// Whether it is the same in every ``Scanner/Mode``: not so words, and `|`, which begins `||`.
  var isSameInAllModes: Bool {
    switch kind {
    case .punctuation(let byte): byte != UInt8(ascii: "|")
    case .separator, .end: true
    default: false
    }
  }

  /// Whether it is the word, in any case, or the symbol of an operator.
  func isOperator(_ word: String, _ symbol: String) -> Bool {
    switch kind {
    case .word(let text): text.utf8.count == word.utf8.count && text.lowercased() == word
    case .symbol(let text): text == symbol
    default: false
    }
  }

  /// Whether a value among arguments can begin with it.
  var beginsAtom: Bool {
    switch kind {
    case .word, .quoted: true
    default: self.is("(") || self.is("[") || self.is("{")
    }
  }

  /// Whether nothing of the command can follow.
  var endsCommand: Bool {
    switch kind {
    case .separator, .end: true
    default: false
    }
  }
}
