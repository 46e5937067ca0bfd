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
    try checkNesting(at: next)
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

  /// The maximum number of `expect throws` in one line. Each parses the rest of the line again.
  private static let maxExpectedFailures = 16

  /// - Throws: ``Diagnostic`` for too many `expect throws KIND:` one after the other.
  private mutating func checkNesting(at word: Token) throws(Diagnostic) {
    let start = scanner.offset
    defer { scanner.offset = start }
    var count = 1
    while let verb = try? scanner.next(.arguments), verb.kind == .word,
      commands[span(verb).text]?.form.isCheck == true,
      let word = try? scanner.next(.arguments), word.isWord("throws", in: scanner.script),
      let label = try? scanner.next(.arguments), label.kind == .label
    {
      count += 1
      if count > Self.maxExpectedFailures {
        throw Diagnostic(
          .limit, "`expect throws` is nested deeper than \(Self.maxExpectedFailures) levels",
          at: span(word))
      }
    }
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
      return objectsCheck(source, .sorted(value, nulls: try nulls()), from: word)
    case "unique":
      let source = try sourceAndPlace()
      let key = try scanner.peek(.arguments)
      if key.endsCommand { throw incomplete(word, source, "KEY") }
      guard key.kind == .word || key.kind == .quoted,
        ComparisonOperator.Kind(word: span(key).text) == nil, !key.isArithmetic(in: scanner.script)
      else { break }
      return objectsCheck(source, .unique(try atom()), from: word)
    default: try checkCase(of: word)
    }
    scanner.offset = start
    return nil
  }

  /// - Throws: ``Diagnostic`` for `ALL SOURCE where:` and its like, which are quantifiers without a
  ///   label.
  private mutating func checkCase(of word: Token) throws(Diagnostic) {
    let text = span(word).text
    let lower = text.lowercased()
    guard ["all", "none", "sorted"].contains(lower) else { return }
    let label = lower == "sorted" ? "by" : "where"
    let source = try atom()
    let next = try scanner.peek(.arguments)
    guard next.kind == .label, try scanner.text(of: next) == label else { return }
    throw error(
      "write `\(lower)` in lower case: `expect \(lower) \(source.span.text) \(label): …`", at: word)
  }

  /// Parses a source and a label; nil, at an unknown position, if they do not follow.
  private mutating func subjectOfCheck(
    of word: Token, before label: String
  ) throws(Diagnostic) -> (source: Subject, label: Token)? {
    let source = try sourceAndPlace()
    let next = try scanner.peek(.arguments)
    if next.endsCommand {
      throw incomplete(word, source, label == "by" ? "by: KEY" : "\(label): PREDICATE")
    }
    guard next.kind == .label, try scanner.text(of: next) == label else { return nil }
    scanner.skip(next)
    return (source, next)
  }

  /// A source and a section in brackets.
  private typealias Subject = (source: Atom, place: Atom?)

  /// Parses `letters`, `letters[0]` or `letters [0]`.
  private mutating func sourceAndPlace() throws(Diagnostic) -> Subject {
    let token = try scanner.peek(.arguments)
    let source: Atom
    if let name = nameBeforeIndex(token) { source = name } else { source = try atom() }
    let isPlace = try scanner.peek(.arguments).is("[")
    return (source, isPlace ? try atom() : nil)
  }

  /// Parses `nulls: ORDER`; nil if something else follows.
  private mutating func nulls() throws(Diagnostic) -> Atom? {
    let label = try scanner.peek(.arguments)
    guard label.kind == .label, try scanner.text(of: label) == "nulls" else {
      return nil
    }
    scanner.skip(label)
    guard try scanner.peek(.arguments).beginsAtom else {
      throw error("`nulls:` has no value, for example `nulls: last`", at: label)
    }
    return try atom()
  }

  private func incomplete(_ word: Token, _ subject: Subject, _ rest: String) -> Diagnostic {
    let source = subject.source.span.through(subject.place?.span ?? subject.source.span)
    return error(
      "the check is incomplete: `expect \(span(word).text) \(source.text) \(rest)`", at: word)
  }

  private func objectsCheck(
    _ subject: Subject, _ condition: ObjectsCheck.Condition, from word: Token
  ) -> ObjectsCheck {
    ObjectsCheck(
      source: subject.source, place: subject.place, condition: condition,
      span: scanner.span(word.start..<scanner.offset))
  }
}
