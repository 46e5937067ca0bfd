import DataTables

// Operators, from the weakest to the strongest.
extension Parser {
  mutating func expression() throws(Diagnostic) -> Expression {
    let first = try scanner.peek(.expression)
    if isLone(first) { return try primary() }
    return try sequence(of: { parser throws(Diagnostic) in try parser.conjunction() }, "or", .or) {
      .or($0)
    }
  }

  private mutating func conjunction() throws(Diagnostic) -> Expression {
    try sequence(of: { parser throws(Diagnostic) in try parser.negation() }, "and", .and) {
      .and($0)
    }
  }

  /// Whether a word or string ends a list element, brackets, a line or the script, so that no
  /// operator can follow it. Most values do.
  private func isLone(_ token: Token) -> Bool {
    switch token.kind {
    case .word, .quoted: break
    default: return false
    }
    var next = token.end
    while scanner.spaceLength(at: next) > 0 { next += scanner.spaceLength(at: next) }
    switch scanner.byte(at: next) {
    case UInt8(ascii: ","), UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), nil:
      return true
    default: return scanner.openBrackets == 0 && scanner.script.newlineLength(at: next) > 0
    }
  }

  /// Parses operands that are separated by an operator, written as `word` or as `symbol`.
  private mutating func sequence(
    of operand: (inout Parser) throws(Diagnostic) -> Expression, _ word: StaticString,
    _ symbol: Token.Symbol, _ make: ([Expression]) -> Expression.Kind
  ) throws(Diagnostic) -> Expression {
    let first = try operand(&self)
    // Most expressions lack the operator; they allocate no array.
    guard try scanner.peek(.expression).isOperator(word, symbol, in: scanner.script) else {
      return first
    }
    var operands = [first]
    repeat {
      _ = try scanner.next(.expression)
      operands.append(try operand(&self))
    } while try scanner.peek(.expression).isOperator(word, symbol, in: scanner.script)
    return Expression(kind: make(operands), span: scanner.span(first.span.start..<scanner.offset))
  }

  private mutating func negation() throws(Diagnostic) -> Expression {
    let token = try scanner.peek(.expression)
    let isNot =
      switch token.kind {
      case .word: token.isOperator("not", .not, in: scanner.script) ? try isPrefix() : false
      default: token.kind == .symbol(.not)
      }
    guard isNot else { return try comparison() }
    _ = try scanner.next(.expression)
    let operand = try nested(at: token) { parser throws(Diagnostic) in try parser.negation() }
    return Expression(kind: .not(operand), span: scanner.span(token.start..<operand.span.end))
  }

  /// Whether a value follows the word at the current position, so that the word is an operator and
  /// not a name.
  private mutating func isPrefix() throws(Diagnostic) -> Bool {
    let start = scanner.offset
    defer { scanner.offset = start }
    let end = try scanner.next(.expression).end
    let next = try scanner.peek(.expression)
    switch next.kind {
    case .quoted: return true
    case .word:
      let text = try scanner.text(of: next)
      return ComparisonOperator.Kind(word: text) == nil
        && !["and", "or"].contains(text.lowercased())
    case .symbol(.not): return true
    default: return next.is("(") || next.is("{") || (next.is("[") && next.start > end)
    }
  }

  private mutating func comparison() throws(Diagnostic) -> Expression {
    let first = try scanner.peek(.expression)
    var quantifier: ComparisonOperator.Quantifier?
    if first.kind == .word,
      let word = ComparisonOperator.Quantifier(rawValue: try scanner.text(of: first).lowercased()),
      try isPrefix()
    {
      quantifier = word
      _ = try scanner.next(.expression)
    }
    let left = try primary()
    guard let `operator` = try comparisonOperator() else {
      if quantifier != nil {
        throw unexpected(try scanner.peek(.expression))
      }
      return left
    }
    let options = try comparisonOptions(of: `operator`)
    let right = try primary()
    return Expression(
      kind: .comparison(
        Comparison(
          left: left,
          operator: ComparisonOperator(`operator`, options: options, quantifier: quantifier),
          right: right)),
      span: scanner.span(first.start..<right.span.end))
  }
}

// Values and paths.
extension Parser {
  /// Parses a value and the path after it.
  mutating func primary() throws(Diagnostic) -> Expression {
    let token = try scanner.peek(.expression)
    let base: Expression
    switch token.kind {
    case .word: base = try word(token)
    case .quoted:
      scanner.skip(token)
      base = Expression(
        kind: .literal(.string(try scanner.text(of: token))), span: span(token))
    case .punctuation(UInt8(ascii: "[")):
      scanner.skip(token)
      let elements = try bracketed(token, closing: "]", .expression) { parser throws(Diagnostic) in
        try parser.expression()
      }
      base = Expression(kind: .list(elements), span: scanner.span(token.start..<scanner.offset))
    case .punctuation(UInt8(ascii: "{")): base = try recordOrSet(token)
    case .punctuation(UInt8(ascii: "(")):
      scanner.skip(token)
      base = inParentheses(
        try parenthesized(token), scanner.span(token.start..<scanner.offset))
    default: throw missingValue(token)
    }
    let steps = try pathSteps()
    guard !steps.isEmpty else { return base }
    return Expression(
      kind: .path(base, steps), span: scanner.span(token.start..<scanner.offset))
  }

  private func missingValue(_ token: Token) -> Diagnostic {
    switch token.kind {
    case .end, .separator: error("a value is missing at the end", at: token)
    default: error("expected a value, not `\(span(token).text)`", at: token)
    }
  }

  private func inParentheses(_ pipe: Pipe, _ span: Span) -> Expression {
    if let head = pipe.head, pipe.stages.isEmpty { return Expression(kind: head.kind, span: span) }
    return Expression(kind: .command(pipe), span: span)
  }

  /// Parses a number, a date or a name; a name ends at its first dot.
  private mutating func word(_ token: Token) throws(Diagnostic) -> Expression {
    scanner.skip(token)
    let text = span(token).text
    switch Value(literal: text) {
    case .string: break
    case let value: return Expression(kind: .literal(value), span: span(token))
    }
    switch text.lowercased() {
    case "true": return Expression(kind: .literal(true), span: span(token))
    case "false": return Expression(kind: .literal(false), span: span(token))
    case "null", "nil": return Expression(kind: .literal(.null), span: span(token))
    default: break
    }
    let name = text.prefix { $0 != "." }
    guard !name.isEmpty else { throw unexpected(token) }
    scanner.offset = token.start + name.utf8.count
    return Expression(
      kind: .name(String(name)), span: scanner.span(token.start..<scanner.offset))
  }

  /// Parses `{key: …}` or `{1, 2}`; `{}` is a record.
  private mutating func recordOrSet(_ opening: Token) throws(Diagnostic) -> Expression {
    _ = try scanner.next(.expression)
    let kind: Expression.Kind
    let content = scanner.skippingTrivia(from: scanner.offset, lineEnds: true)
    let isRecord = try scanner.recordKey() != nil || scanner.byte(at: content) == UInt8(ascii: "}")
    if isRecord {
      kind = .record(
        try bracketed(opening, closing: "}", .expression) { parser throws(Diagnostic) in
          let key = try parser.recordKey()
          return (key, try parser.expression())
        })
    } else {
      kind = .set(
        try bracketed(opening, closing: "}", .expression) { parser throws(Diagnostic) in
          try parser.expression()
        })
    }
    return Expression(kind: kind, span: scanner.span(opening.start..<scanner.offset))
  }

  /// Parses `.key`, `."odd key"`, `[0]` and `[1, 2]`, with no space before each.
  private mutating func pathSteps() throws(Diagnostic) -> [PathStep] {
    var steps: [PathStep] = []
    while let byte = scanner.byte(at: scanner.offset) {
      let start = scanner.offset
      if byte == UInt8(ascii: "[") {
        guard let (numbers, end) = scanner.touchingIndex(at: start) else {
          throw scanner.error(
            "expected one or two integers in `[…]`, as in `[1, 2]`", at: start..<start + 1)
        }
        let indexes = numbers.map { Int($0.text) ?? Int.max }
        steps.append(PathStep(kind: .index(indexes), span: scanner.span(start..<end)))
        scanner.offset = end
      } else if byte == UInt8(ascii: ".") {
        scanner.offset += 1
        steps.append(try keyStep())
      } else {
        break
      }
    }
    return steps
  }

  private mutating func keyStep() throws(Diagnostic) -> PathStep {
    let start = scanner.offset
    if scanner.isQuote(start) {
      let (key, end) = try scanner.quoted(at: start)
      scanner.offset = end
      return PathStep(kind: .key(key), span: scanner.span(start..<end))
    }
    let end = scanner.keyEnd(from: start)
    let span = scanner.span(start..<end)
    // A word with a colon at its end is a label.
    let isLabel =
      scanner.byte(at: max(end - 1, start)) == UInt8(ascii: ":") && scanner.isBreak(at: end)
    guard end > start, !isLabel else {
      throw scanner.error("expected a key after the dot", at: start - 1..<start)
    }
    scanner.offset = end
    return PathStep(kind: .key(span.text), span: span)
  }
}
