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
      return ComparisonOperator.Kind(word: text) == nil && !next.isArithmetic(in: scanner.script)
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
    let left = try operand()
    guard let (kind, isNegated) = try comparisonOperator() else {
      if quantifier != nil {
        throw unexpected(try scanner.peek(.expression))
      }
      return left
    }
    let options = try comparisonOptions()
    let right = try operand()
    let span = scanner.span(first.start..<right.span.end)
    var comparison = ComparisonOperator(kind, options: options, quantifier: quantifier)
    let isInverted = isNegated && comparison.negateElements()
    let result = Expression(
      kind: .comparison(Comparison(left: left, operator: comparison, right: right)), span: span)
    return isInverted ? Expression(kind: .not(result), span: span) : result
  }
}

extension ComparisonOperator {
  /// Negates the comparison of each element, as `ANY x NOT IN y` does: at least one element is not
  /// in y.
  /// - Returns: whether the whole comparison has to be negated too.
  fileprivate mutating func negateElements() -> Bool {
    guard let all = quantifier else { return true }
    switch all {
    case .any, .some:
      quantifier = .all
      return true
    // Without the type, `none` is the absence of a quantifier.
    case .all: quantifier = Quantifier.none
    case .none: quantifier = .all
    }
    return false
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

  /// Parses a number, a date, a call, a variable or a name; a name ends at its first dot.
  private mutating func word(_ token: Token) throws(Diagnostic) -> Expression {
    if let call = try call(token) { return call }
    scanner.skip(token)
    let text = span(token).text
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
    if Self.formatSpecifiers.contains(String(name)) { throw formatSpecifier(name, found) }
    return Expression(kind: .name(String(name)), span: found)
  }

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
