import DataTables

// Arithmetic, from the weakest operators to the strongest. An operator is a word of its own, so that
// `first-name` is a name.
extension Parser {
  /// The maximum number of operators in an operand, whose evaluation is as deep.
  private static let maxOperations = 200

  /// Parses operands that `+`, `-`, `*`, `/`, `%` and `**` combine.
  mutating func operand() throws(Diagnostic) -> Expression {
    if scanner.openBrackets == 0 { numberOfOperations = 0 }
    return try operations(["+", "-"]) { parser throws(Diagnostic) in
      try parser.operations(["*", "/", "%"]) { parser throws(Diagnostic) in
        try parser.operations(["**"]) { parser throws(Diagnostic) in try parser.primary() }
      }
    }
  }

  private mutating func operations(
    _ symbols: [String], of operand: (inout Parser) throws(Diagnostic) -> Expression
  ) throws(Diagnostic) -> Expression {
    var left = try operand(&self)
    while let symbol = try arithmeticOperator(), symbols.contains(symbol) {
      let token = try scanner.next(.expression)
      numberOfOperations += 1
      guard numberOfOperations <= Self.maxOperations else {
        throw error(
          "more than \(Self.maxOperations) arithmetic operators; compute a part with `let` first",
          at: token)
      }
      let right = try operand(&self)
      let function =
        ArithmeticOperator(rawValue: symbol).map { ValueFunction($0) }
        ?? ValueFunction.named("raise:toPower:")
      guard let function else { return left }
      left = Expression(
        kind: .call(Call(function: .value(function), arguments: [left, right])),
        span: scanner.span(left.span.start..<right.span.end))
    }
    return left
  }

  /// The operator at the current position, without advancing.
  private mutating func arithmeticOperator() throws(Diagnostic) -> String? {
    let token = try scanner.peek(.expression)
    guard token.isArithmetic(in: scanner.script) else { return nil }
    return span(token).text
  }
}

extension Token {
  /// Whether the token is a word that consists of an arithmetic operator.
  func isArithmetic(in script: ScriptText) -> Bool {
    guard kind == .word, (1...2).contains(end - start) else { return false }
    switch script.bytes[start] {
    case UInt8(ascii: "*"): return end - start == 1 || script.bytes[start + 1] == UInt8(ascii: "*")
    case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "%"):
      return end - start == 1
    default: return false
    }
  }
}
