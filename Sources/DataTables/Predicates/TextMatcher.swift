/// Matches a ``TextPattern`` with many texts, and remembers what it learns about the pattern.
struct TextMatcher {
  let pattern: TextPattern
  private var automaton: PatternAutomaton?
  /// nil if nothing is folded.
  private var folding: TextFolding?

  init(_ pattern: TextPattern) {
    self.pattern = pattern
    if case .expression(let expression) = pattern.form {
      automaton = PatternAutomaton(expression, pattern.options)
    }
    if !pattern.options.isEmpty { folding = TextFolding(pattern.options) }
  }

  /// Whether the text matches, as ``TextPattern/matches(_:)`` determines it.
  mutating func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    if automaton == nil, !pattern.comparesBytes(of: text) { return matchesOther(text) }
    return matchesBytes(of: text)
  }

  mutating func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
  }

  /// - Precondition: ``TextPattern/comparesBytes(of:)``, unless the pattern is an expression.
  @inline(__always)
  mutating func matchesBytes(of text: UnsafeRawBufferPointer) -> Bool {
    switch automaton?.match(text) {
    case nil: pattern.matches(text)
    case .match: true
    case .noMatch: false
    case .notPlain: matchesOther(text)
    }
  }

  /// Whether a text matches whose bytes are not compared as they are.
  mutating func matchesOther(_ text: UnsafeRawBufferPointer) -> Bool {
    matchesFolded(text) ?? matchesCharacters(of: text)
  }

  /// nil if the text or the folded text is not plain.
  private mutating func matchesFolded(_ text: UnsafeRawBufferPointer) -> Bool? {
    guard folding?.fold(text) ?? false else { return nil }
    return folding?.withFolded { folded in
      switch automaton?.match(folded, isFolded: true) {
      case nil: pattern.matches(folded: folded)
      case .match: true
      case .noMatch: false
      case .notPlain: nil
      }
    }
  }

  private mutating func matchesCharacters(of text: UnsafeRawBufferPointer) -> Bool {
    let text = String(decoding: text, as: UTF8.self)
    return automaton?.matches(pattern.options.fold(text)) ?? pattern.matches(text)
  }
}
