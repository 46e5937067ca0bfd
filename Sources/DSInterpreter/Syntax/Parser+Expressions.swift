extension Parser {
  mutating func expression() throws(Diagnostic) -> Expression {
    try sequence(of: { parser throws(Diagnostic) in try parser.conjunction() }, "or", "||") {
      .or($0)
    }
  }

  private mutating func conjunction() throws(Diagnostic) -> Expression {
    try sequence(of: { parser throws(Diagnostic) in try parser.negation() }, "and", "&&") {
      .and($0)
    }
  }

  /// One operand, or several with a word or its symbol between them.
  private mutating func sequence(
    of operand: (inout Parser) throws(Diagnostic) -> Expression, _ word: String, _ symbol: String,
    _ make: ([Expression]) -> Expression.Kind
  ) throws(Diagnostic) -> Expression {
    let first = try operand(&self)
    var operands = [first]
    while try isOperator(try scanner.peek(.expression), word, symbol) {
      _ = try scanner.next(.expression)
      operands.append(try operand(&self))
    }
    if operands.count == 1 { return first }
    return Expression(kind: make(operands), span: scanner.span(first.span.start..<scanner.offset))
  }

  private func isOperator(
    _ token: Token, _ word: String, _ symbol: String
  ) throws(Diagnostic) -> Bool {
    switch token.kind {
    case .word(let text): text.lowercased() == word
    case .symbol(let text): text == symbol
    default: false
    }
  }

  private mutating func negation() throws(Diagnostic) -> Expression {
    let token = try scanner.peek(.expression)
    let isNot: Bool
    switch token.kind {
    case .symbol("!"): isNot = true
    case .word(let text) where text.lowercased() == "not": isNot = try isPrefix()
    default: isNot = false
    }
    guard isNot else { return try comparison() }
    _ = try scanner.next(.expression)
    let operand = try nested(at: token) { parser throws(Diagnostic) in try parser.negation() }
    return Expression(kind: .not(operand), span: scanner.span(token.start..<operand.span.end))
  }

  /// Whether the word that stands here comes before a value, so that it is not a name itself.
  private mutating func isPrefix() throws(Diagnostic) -> Bool {
    let start = scanner.offset
    defer { scanner.offset = start }
    let end = try scanner.next(.expression).end
    let next = try scanner.peek(.expression)
    switch next.kind {
    case .quoted: return true
    case .word(let text):
      return Comparison.Operator(word: text) == nil && !["and", "or"].contains(text.lowercased())
    case .symbol("!"): return true
    default: return next.is("(") || next.is("{") || (next.is("[") && next.start > end)
    }
  }

  private mutating func comparison() throws(Diagnostic) -> Expression {
    let first = try scanner.peek(.expression)
    var quantifier: Comparison.Quantifier?
    if case .word(let text) = first.kind, try isPrefix() {
      quantifier = Comparison.Quantifier(rawValue: text.lowercased())
      if quantifier != nil { _ = try scanner.next(.expression) }
    }
    let left = try primary()
    guard let `operator` = try comparisonOperator() else {
      if quantifier != nil {
        throw unexpected(try scanner.peek(.expression))
      }
      return left
    }
    let options = try comparisonOptions()
    let right = try primary()
    return Expression(
      kind: .comparison(
        Comparison(
          quantifier: quantifier, left: left, operator: `operator`, options: options, right: right)),
      span: scanner.span(first.start..<right.span.end))
  }

  private mutating func comparisonOperator() throws(Diagnostic) -> Comparison.Operator? {
    let found: Comparison.Operator?
    switch try scanner.peek(.expression).kind {
    case .word(let text): found = Comparison.Operator(word: text)
    case .symbol(let text): found = Comparison.Operator(symbol: text)
    default: found = nil
    }
    if found != nil { _ = try scanner.next(.expression) }
    return found
  }

  /// `[cd]`, touching the operator.
  private mutating func comparisonOptions() throws(Diagnostic) -> Comparison.Options {
    let start = scanner.offset
    guard scanner.byte(at: start) == UInt8(ascii: "[") else { return [] }
    var options: Comparison.Options = []
    var end = start + 1
    while let byte = scanner.byte(at: end) {
      switch byte {
      case UInt8(ascii: "c"), UInt8(ascii: "C"): options.insert(.caseInsensitive)
      case UInt8(ascii: "d"), UInt8(ascii: "D"): options.insert(.diacriticInsensitive)
      case UInt8(ascii: "]") where end > start + 1:
        scanner.offset = end + 1
        return options
      default: return []
      }
      end += 1
    }
    return []
  }
}
