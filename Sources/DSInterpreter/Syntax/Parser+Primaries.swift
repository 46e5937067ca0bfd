import DataTables

extension Parser {
  /// A value and the path after it.
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
        try parenthesised(token), scanner.span(token.start..<scanner.offset))
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
    default: error("a value is expected here, not `\(span(token).text)`", at: token)
    }
  }

  private func inParentheses(_ pipe: Pipe, _ span: Span) -> Expression {
    if let head = pipe.head, pipe.stages.isEmpty { return Expression(kind: head.kind, span: span) }
    return Expression(kind: .command(pipe), span: span)
  }

  /// A number, a date or a name; a name ends at its first dot.
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

  /// `{key: …}` or `{1, 2}`; `{}` is a record.
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

  /// `.key`, `."odd key"`, `[0]` and `[1, 2]`, each touching what stands before it.
  private mutating func pathSteps() throws(Diagnostic) -> [PathStep] {
    var steps: [PathStep] = []
    while let byte = scanner.byte(at: scanner.offset) {
      let start = scanner.offset
      if byte == UInt8(ascii: "[") {
        guard let (numbers, end) = scanner.touchingIndex(at: start) else {
          throw scanner.error(
            "`[…]` takes one or two integers, as in `[1, 2]`", at: start..<start + 1)
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
    // With a colon at its end it is a label.
    let isLabel =
      scanner.byte(at: max(end - 1, start)) == UInt8(ascii: ":") && scanner.isBreak(at: end)
    guard end > start, !isLabel else {
      throw scanner.error("a key comes after the dot", at: start - 1..<start)
    }
    scanner.offset = end
    return PathStep(kind: .key(span.text), span: span)
  }
}
