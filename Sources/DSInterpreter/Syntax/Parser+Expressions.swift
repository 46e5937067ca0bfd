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
