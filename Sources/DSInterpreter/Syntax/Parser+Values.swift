import DataTables

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
      if let interpolation = try interpolation(token) {
        base = Expression(kind: .interpolated(interpolation), span: span(token))
      } else {
        base = Expression(
          kind: .literal(.string(try scanner.text(of: token))), span: span(token))
      }
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
    if case .name = base.kind { skipSpaceBeforeIndex() }
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

  /// Parses a number, a date, a call, a variable or a name; a name ends at its first dot.
  private mutating func word(_ token: Token) throws(Diagnostic) -> Expression {
    if let call = try call(token) { return call }
    scanner.skip(token)
    let text = span(token).text
    if let mistake = typographicQuote(token) ?? rangeMistake(token) { throw mistake }
    switch Value(literal: text) {
    case .string: break
    case let value: return Expression(kind: .literal(value), span: span(token))
    }
    switch text.lowercased() {
    case "true", "truepredicate": return Expression(kind: .literal(true), span: span(token))
    case "false", "falsepredicate": return Expression(kind: .literal(false), span: span(token))
    case "null", "nil": return Expression(kind: .literal(.null), span: span(token))
    default: break
    }
    if text == "YES" || text == "NO", try !precedesOperator() {
      return Expression(kind: .literal(.bool(text == "YES")), span: span(token))
    }
    let name = text.prefix { $0 != "." }
    guard !name.isEmpty else { throw unexpected(token) }
    scanner.offset = token.start + name.utf8.count
    let found = scanner.span(token.start..<scanner.offset)
    if name.utf8.first == UInt8(ascii: "$"), name.utf8.count > 1 {
      return Expression(kind: .variable(String(name.dropFirst())), span: found)
    }
    if name.hasPrefix("%"), Self.formatSpecifiers.contains(String(name)) {
      throw formatSpecifier(name, found)
    }
    if name.hasPrefix("@\"") || name.hasPrefix("@'") { throw try codeLiteral(at: token) }
    return Expression(kind: .name(String(name)), span: found)
  }

  /// The error of a word that begins with a quote of a text processor.
  func typographicQuote(_ token: Token) -> Diagnostic? {
    // Every word is looked at, and nearly all begin with an ASCII byte.
    guard let byte = scanner.byte(at: token.start), byte >= 0x80 else { return nil }
    guard let first = span(token).text.first, Self.typographicQuotes.contains(first) else {
      return nil
    }
    return error(
      "`\(first)` does not quote a string; write straight quotes: `\"…\"` or `'…'`", at: token)
  }

  private static let typographicQuotes: Set<Character> = [
    "“", "”", "„", "‟", "‘", "’", "‚", "«", "»",
  ]

  private static let formatSpecifiers: Set<String> = [
    "%@", "%K", "%d", "%i", "%u", "%f", "%lf", "%ld", "%li", "%lu", "%lld", "%llu", "%s", "%g",
    "%c",
    "%x",
  ]

  /// The error for a placeholder of Cocoa's format strings, whose values are arguments in code.
  private func formatSpecifier(_ text: Substring, _ span: Span) -> Diagnostic {
    let fix =
      text == "%K"
      ? "write the key itself, as in `name == 'Pie'`"
      : "write the value itself, as in `name == 'Pie'`, or `$name` for a value that `let` binds"
    return Diagnostic(.syntax, "`\(text)` stands for an argument in code; \(fix)", at: span)
  }

  /// The error for a string of Objective-C, `@"Pie"`.
  private mutating func codeLiteral(at token: Token) throws(Diagnostic) -> Diagnostic {
    scanner.offset = token.start + 1
    let string = span(try scanner.next(.expression)).text
    return Diagnostic(
      .syntax, "`@\(string)` is a string of Objective-C; write `\(string)`",
      at: scanner.span(token.start..<scanner.offset))
  }

  /// Whether a comparison or an index follows, so that `YES` and `NO` are names of keys.
  private mutating func precedesOperator() throws(Diagnostic) -> Bool {
    let next = try scanner.peek(.expression)
    switch next.kind {
    case .symbol(.comparison), .symbol(.assignment): return true
    case .word: return ComparisonOperator.Kind(word: try scanner.text(of: next)) != nil
    default: return next.is("[") && scanner.byte(at: scanner.offset) == UInt8(ascii: "[")
    }
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

  /// After a name, white space before `[5, 1]` makes no difference.
  private mutating func skipSpaceBeforeIndex() {
    var next = scanner.offset
    while scanner.spaceLength(at: next) > 0 { next += scanner.spaceLength(at: next) }
    if scanner.touchingIndexEnd(at: next) != nil { scanner.offset = next }
  }

  /// Parses `.key`, `."odd key"`, `[0]` and `[1, 2]`, with no space before each.
  private mutating func pathSteps() throws(Diagnostic) -> [PathStep] {
    var steps: [PathStep] = []
    while let byte = scanner.byte(at: scanner.offset) {
      let start = scanner.offset
      if byte == UInt8(ascii: "[") {
        guard let end = scanner.touchingIndexEnd(at: start) else {
          throw scanner.error(
            "expected one or two integers in `[…]`, as in `[1, 2]`, or a range such as `[0:3]`",
            at: start..<start + 1)
        }
        steps.append(indexStep(start..<end))
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

  /// The step in brackets at `range`.
  private func indexStep(_ range: Range<Int>) -> PathStep {
    let kind: PathStep.Kind =
      switch scanner.touchingStep(at: range.lowerBound)?.step {
      case .range(let lower, let upper): .range(lower, upper)
      case .index(let index): .index([index])
      case .collection(let kind): .key(kind.rawValue)
      case .key, nil:
        .index(
          (scanner.touchingIndex(at: range.lowerBound)?.numbers ?? []).map {
            Int($0.text) ?? ($0.text.hasPrefix("-") ? Int.min : Int.max)
          })
      }
    return PathStep(kind: kind, span: scanner.span(range))
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
