import DataTables

/// The fix of a name in a predicate that is not a key: it was probably meant as a value.
struct MeantValue {
  /// The imperative that follows the error: `` write `$k` to mean the value of the name ``.
  let fix: String
  /// Whether the name is bound to a value.
  let isBound: Bool

  /// - Returns: nil if the name is neither bound to a value nor compared with something.
  init?(_ name: Word, in predicate: Expression, _ session: Session) {
    isBound = session.hasValue(named: name.text)
    if isBound {
      fix = "write `$\(name.text)` to mean the value of the name"
      return
    }
    guard predicate.comparedNames.contains(where: { $0.start == name.span.start }) else {
      return nil
    }
    // In a predicate that is a string, the quote around the predicate would end it.
    let isDoubleQuoted = name.span.script.enclosingQuote == UInt8(ascii: "\"")
    let string = isDoubleQuoted ? "'\(name.text)'" : Value.string(name.text).json
    fix = "write `\(string)` to mean the string"
  }
}

extension Expression {
  /// The names on the right of comparisons, alone or in a list, where a value usually is.
  fileprivate var comparedNames: [Span] {
    guard case .comparison(let comparison) = kind else { return parts.flatMap(\.comparedNames) }
    switch comparison.right.kind {
    case .name: return [comparison.right.span]
    case .list(let elements), .set(let elements):
      return elements.filter { if case .name = $0.kind { true } else { false } }.map(\.span)
    default: return parts.flatMap(\.comparedNames)
    }
  }
}

extension Session {
  /// Whether a name is bound to a value, which a predicate can read.
  fileprivate func hasValue(named name: String) -> Bool {
    switch names[name] {
    case .value, .objects: true
    case .source, .database, .some(.none), nil: false
    }
  }
}
