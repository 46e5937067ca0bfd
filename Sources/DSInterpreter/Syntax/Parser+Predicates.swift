import DataTables

// Predicates and the operators of comparisons.
extension Parser {
  /// Parses an expression, or one quoted string that contains it.
  mutating func predicate() throws(Diagnostic) -> Expression {
    let token = try scanner.peek(.expression)
    predicateDepth += 1
    defer { predicateDepth -= 1 }
    let value = try expression()
    let next = try scanner.peek(.expression)
    switch next.kind {
    case .word, .quoted, .symbol: throw unexpectedInPredicate(next)
    default: if let mistake = decimalCommaMistake(next) { throw mistake }
    }
    guard token.kind == .quoted, value.span.end == token.end, case .literal = value.kind else {
      return value
    }
    let offsets = try scanner.offsets(ofQuotedAt: token.start)
    let script = ScriptText(try scanner.text(of: token), in: scanner.script, at: offsets)
    var parser = Parser(Span(script, 0..<script.bytes.count), commands: commands)
    parser.predicateDepth = 1
    let inner = try parser.expression()
    let rest = try parser.scanner.peek(.expression)
    guard rest.kind == .end else { throw parser.unexpectedInPredicate(rest) }
    return inner
  }

  /// The error at a token where the line could end. After an expression, the token was probably
  /// meant as an operator.
  func unexpected(_ token: Token, after line: Line.Kind) -> Diagnostic {
    guard case .pipe(let pipe) = line, let stage = pipe.stages.last,
      stage.check != nil || stage.expression != nil
    else { return decimalCommaMistake(token) ?? unexpected(token) }
    let expression: Expression? =
      if case .holds(let condition)? = stage.check { condition } else { stage.expression }
    return expression.flatMap { commandWithoutParentheses($0, before: token) }
      ?? decimalCommaMistake(token) ?? unexpectedInPredicate(token)
  }

  /// The error at a token where an operator, a label or the end was expected.
  private func unexpectedInPredicate(_ token: Token) -> Diagnostic {
    switch token.kind {
    case .word:
      let word = span(token).text
      let words = ComparisonOperator.Kind.allCases.map(\.rawValue) + ["and", "or", "NOT IN"]
      if let sign = word.first, "+-*/%".contains(sign), word.count > 1 {
        return error("put spaces around `\(sign)` to compute with it", at: token)
      }
      let near = Suggestion.nearest(to: word, among: words)
      let rest = near == nil ? "; quote strings, and end labels with a colon" : ""
      return Diagnostic(
        .syntax, "`\(word)` is not an operator\(rest)", suggestion: near, at: span(token))
    case .quoted: return error("an operator is missing before this", at: token)
    default: return unexpected(token)
    }
  }

  /// Parses an operator, or `NOT` and an operator that is a word.
  mutating func comparisonOperator() throws(Diagnostic) -> (
    kind: ComparisonOperator.Kind, isNegated: Bool
  )? {
    let token = try scanner.peek(.expression)
    let found: ComparisonOperator.Kind
    switch token.kind {
    case .word where token.isOperator("not", .not, in: scanner.script):
      let start = scanner.offset
      scanner.skip(token)
      let next = try scanner.peek(.expression)
      guard next.kind == .word, let kind = ComparisonOperator.Kind(word: try scanner.text(of: next))
      else {
        scanner.offset = start
        return nil
      }
      scanner.skip(next)
      return (kind, true)
    case .word:
      guard let kind = ComparisonOperator.Kind(word: try scanner.text(of: token)) else {
        return nil
      }
      found = kind
    case .symbol(.assignment):
      guard predicateDepth > 0 else {
        throw error("`=` binds a name after `let`; write `==` to compare", at: token)
      }
      found = .equal
    case .symbol(.comparison(let comparison)): found = comparison
    default: return nil
    }
    if token.kind != .word { try checkSymbol(token) }
    scanner.skip(token)
    return (found, false)
  }

  /// Rejects operators of other languages, which scan as two operators.
  private func checkSymbol(_ token: Token) throws(Diagnostic) {
    var end = token.end
    while let byte = scanner.byte(at: end),
      byte == UInt8(ascii: "=") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
    {
      end += 1
    }
    guard end > token.end else { return }
    let span = scanner.span(token.start..<end)
    let meant = ["===": "==", "!==": "!=", "<=>": "==", "=>=": ">=", "=<=": "<="][span.text]
    throw Diagnostic(.syntax, "`\(span.text)` is not an operator", suggestion: meant, at: span)
  }

  /// Parses `[cd]`, directly after the operator.
  mutating func comparisonOptions() throws(Diagnostic) -> ComparisonOperator.Options {
    let start = scanner.offset
    guard scanner.byte(at: start) == UInt8(ascii: "[") else { return [] }
    var options: ComparisonOperator.Options = []
    var isKnown = true
    var end = start + 1
    while let byte = scanner.byte(at: end), Character(Unicode.Scalar(byte)).isLetter {
      let letter = String(Unicode.Scalar(byte | 0x20))
      if let option = ComparisonOperator.Options.letters.first(where: { $0.letter == letter }) {
        options.insert(option.option)
      } else {
        isKnown = false
      }
      end += 1
    }
    // Brackets with other content are a list.
    guard end > start + 1, scanner.byte(at: end) == UInt8(ascii: "]") else { return [] }
    guard isKnown else {
      throw scanner.error(
        "unknown option; `[c]` ignores case, `[d]` accents, `[n]` compares strings as they are, and "
          + "`[l]` orders them by language", at: start..<end + 1)
    }
    scanner.offset = end + 1
    return options
  }
}
