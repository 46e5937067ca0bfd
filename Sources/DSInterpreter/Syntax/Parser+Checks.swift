import DataTables

// `expect` and `require`.
extension Parser {
  /// Parses `expect` and `require`, at the verb.
  mutating func check(_ verb: Verb) throws(Diagnostic) -> Stage {
    let token = try scanner.next(.arguments)
    let text = verb.word.text
    let next = try scanner.peek(.arguments)
    guard !next.endsCommand else {
      throw error(
        "`\(text)` checks an expression: `\(text) foods.numberOfObjects == 12`", at: token)
    }
    guard next.isWord("throws", in: scanner.script), let kind = try errorKind() else {
      let check: Check
      if let objects = try objectsCheck(at: next) {
        check = .objects(objects)
      } else {
        check = .holds(try expression())
      }
      return Stage(
        verb, check: check, span: scanner.span(token.start..<scanner.offset))
    }
    let start = scanner.offset
    // A line that is expected not to parse must not include the lines after it.
    let end =
      kind == .syntax
      ? scanner.lineEnd(from: start)
      : scanner.commandEnd(from: start, inBlock: blockDepth > 0).end
    scanner.offset = end
    return Stage(
      verb, check: .throws(kind, rest: scanner.span(start..<end)),
      span: scanner.span(token.start..<end))
  }

  /// Parses `throws KIND:`; returns nil when `throws` is a name in an expression.
  private mutating func errorKind() throws(Diagnostic) -> ErrorKind? {
    let start = scanner.offset
    _ = try scanner.next(.arguments)
    let token = try scanner.next(.arguments)
    switch token.kind {
    case .label:
      let name = try scanner.text(of: token)
      if let kind = ErrorKind(rawValue: name) { return kind }
      throw Diagnostic(
        .syntax, "unknown error kind `\(name)`",
        suggestion: Suggestion.nearest(to: name, among: ErrorKind.allCases.map(\.rawValue)),
        at: span(token))
    case .word where ErrorKind(rawValue: try scanner.text(of: token)) != nil:
      let name = try scanner.text(of: token)
      throw error("expected a colon after the kind of error: `throws \(name): COMMAND`", at: token)
    default:
      scanner.offset = start
      return nil
    }
  }

  /// Whether the line is `expect throws syntax: …`, which is complete whatever follows.
  static func expectsSyntaxError(_ scanner: Scanner) -> Bool {
    var scanner = scanner
    guard let verb = try? scanner.next(.arguments), verb.isWord("expect", in: scanner.script),
      let word = try? scanner.next(.arguments), word.isWord("throws", in: scanner.script),
      let label = try? scanner.next(.arguments), label.kind == .label
    else { return false }
    return (try? scanner.text(of: label)) == ErrorKind.syntax.rawValue
  }
}

// Expectations about all objects of a source.
extension Parser {
  /// Parses `all SOURCE where: …`, `none SOURCE where: …`, `unique SOURCE KEY` or
  /// `sorted SOURCE by: …`; nil for an expression, in which these words are names or quantifiers.
  private mutating func objectsCheck(at word: Token) throws(Diagnostic) -> ObjectsCheck? {
    guard word.kind == .word else { return nil }
    let start = scanner.offset
    scanner.skip(word)
    let isOperand = if case .symbol = try scanner.peek(.expression).kind { false } else { true }
    let subject = try scanner.peek(.arguments)
    guard isOperand, subject.kind == .word || subject.is("(") else {
      scanner.offset = start
      return nil
    }
    let condition: ObjectsCheck.Condition
    switch span(word).text {
    case "all", "none":
      guard let (source, _) = try subjectOfCheck(of: word, before: "where") else { break }
      let isNegated = span(word).text == "none"
      condition = .predicate(try predicate(), isNegated: isNegated)
      return objectsCheck(source, condition, from: word)
    case "sorted":
      guard let (source, label) = try subjectOfCheck(of: word, before: "by") else { break }
      let groups = try groups(of: "by", verb: "expect")
      guard groups.first?.isEmpty == false else {
        throw error("`by:` has no value, for example `by: name`", at: label)
      }
      let value = LabeledValue(
        label: Word(text: "by", span: span(label)), content: .groups(groups), isKey: false,
        span: scanner.span(label.start..<scanner.offset))
      return objectsCheck(source, .sorted(value), from: word)
    case "unique":
      let source = try atom()
      let key = try scanner.peek(.arguments)
      if key.endsCommand { throw incomplete(word, source, "KEY") }
      guard key.kind == .word || key.kind == .quoted,
        ComparisonOperator.Kind(word: span(key).text) == nil, !key.isArithmetic(in: scanner.script)
      else { break }
      return objectsCheck(source, .unique(try atom()), from: word)
    default: break
    }
    scanner.offset = start
    return nil
  }

  /// Parses a source and a label; nil, at an unknown position, if they do not follow.
  private mutating func subjectOfCheck(
    of word: Token, before label: String
  ) throws(Diagnostic) -> (source: Atom, label: Token)? {
    let source = try atom()
    let next = try scanner.peek(.arguments)
    if next.endsCommand {
      throw incomplete(word, source, label == "by" ? "by: KEY" : "\(label): PREDICATE")
    }
    guard next.kind == .label, try scanner.text(of: next) == label else { return nil }
    scanner.skip(next)
    return (source, next)
  }

  private func incomplete(_ word: Token, _ source: Atom, _ rest: String) -> Diagnostic {
    error(
      "the check is incomplete: `expect \(span(word).text) \(source.span.text) \(rest)`", at: word)
  }

  private func objectsCheck(
    _ source: Atom, _ condition: ObjectsCheck.Condition, from word: Token
  ) -> ObjectsCheck {
    ObjectsCheck(
      source: source, condition: condition, span: scanner.span(word.start..<scanner.offset))
  }
}
