import DataTables

/// The words that begin a call, besides the functions of values.
enum CallWord: String, CaseIterable {
  case function = "FUNCTION"
  case cast = "CAST"
  case ternary = "TERNARY"
  case subquery = "SUBQUERY"
  case now

  /// The word as it is called, for messages and completion.
  static let names = allCases.map(\.rawValue) + ValueFunction.all.map(\.shortName)
}

// Calls of functions: `sum(prices)`, `FUNCTION(prices, 'sum:')`, `TERNARY(a > 1, b, c)`.
extension Parser {
  /// Parses the arguments after the name of a function; nil for a name that no parenthesis touches.
  mutating func call(_ name: Token) throws(Diagnostic) -> Expression? {
    guard name.kind == .word, scanner.byte(at: name.end) == UInt8(ascii: "(") else { return nil }
    let text = try scanner.text(of: name)
    scanner.skip(name)
    let opening = try scanner.peek(.expression)
    let kind: Expression.Kind
    switch CallWord(rawValue: text.uppercased()) ?? CallWord(rawValue: text) {
    case .subquery: kind = try subquery(opening)
    case .function: kind = try function(named: name, try arguments(opening))
    case .cast: kind = try cast(try arguments(opening), name)
    case .ternary:
      let arguments = try arguments(opening)
      guard arguments.count == 3 else {
        throw error(
          "TERNARY expects a condition and two values, as in `TERNARY(a > 1, b, c)`", at: name)
      }
      kind = .conditional(arguments[0], arguments[1], arguments[2])
    case .now:
      let arguments = try arguments(opening)
      guard arguments.isEmpty else { throw error("`now()` has no arguments", at: name) }
      kind = .call(Call(function: .now, arguments: []))
    case nil: kind = try call(of: text, at: span(name), try arguments(opening))
    }
    return Expression(kind: kind, span: scanner.span(name.start..<scanner.offset))
  }

  private mutating func arguments(_ opening: Token) throws(Diagnostic) -> [Expression] {
    scanner.skip(opening)
    return try bracketed(opening, closing: ")", .expression) { parser throws(Diagnostic) in
      try parser.expression()
    }
  }

  private func call(
    of name: String, at span: Span, _ arguments: [Expression]
  ) throws(Diagnostic) -> Expression.Kind {
    guard let function = ValueFunction.named(name) else { throw unknownFunction(name, at: span) }
    guard function.accepts(arguments.count) else {
      let count = arguments.count == 1 ? "1 argument" : "\(arguments.count) arguments"
      throw Diagnostic(
        .syntax, "`\(name)` is given \(count); write `\(function.synopsis)`", at: span)
    }
    return .call(Call(function: .value(function), arguments: arguments))
  }

  private func unknownFunction(_ name: String, at span: Span) -> Diagnostic {
    if ["random", "random:", "randomn", "randomn:"].contains(name) {
      return Diagnostic(
        .syntax,
        "`\(name)` is not supported: an object would satisfy a predicate at one time and not at "
          + "another", at: span)
    }
    let near = Suggestion.nearest(
      to: name, among: CallWord.names + ValueFunction.all.map(\.name))
    return Diagnostic(
      .syntax,
      "no function named `\(name)`"
        + (near == nil ? "; see help functions" : ""), suggestion: near, at: span)
  }

  /// `FUNCTION(first, 'name:', other, …)`.
  private func function(
    named token: Token, _ arguments: [Expression]
  ) throws(Diagnostic) -> Expression.Kind {
    guard arguments.count > 1, case .literal(.string(let name)) = arguments[1].kind else {
      throw error(
        "FUNCTION expects a value and the quoted name of a function, as in "
          + "`FUNCTION(prices, 'sum:')`", at: token)
    }
    let rest = arguments[..<1] + arguments[2...]
    if name == "now" { return .call(Call(function: .now, arguments: [])) }
    return try call(of: name, at: arguments[1].span, Array(rest))
  }

  private func cast(
    _ arguments: [Expression], _ token: Token
  ) throws(Diagnostic) -> Expression.Kind {
    guard arguments.count == 2 else {
      throw error("CAST expects a value and a type, as in `CAST(price, 'NSNumber')`", at: token)
    }
    if case .literal(.string(let type)) = arguments[1].kind,
      !ValueFunction.typesOfCasts.contains(type)
    {
      throw Diagnostic(
        .syntax, ComputationError.unknownType(type).message,
        suggestion: Suggestion.nearest(to: type, among: ValueFunction.typesOfCasts),
        at: arguments[1].span)
    }
    return try call(of: "castObject:toType:", at: span(token), arguments)
  }

  private mutating func subquery(_ opening: Token) throws(Diagnostic) -> Expression.Kind {
    let arguments = try arguments(opening)
    guard arguments.count == 3, case .variable(let name) = arguments[1].kind else {
      throw error(
        "SUBQUERY expects a list, a variable and a condition, as in "
          + "`SUBQUERY(items, $x, $x.price > 3)`", at: opening)
    }
    return .subquery(
      Subquery(list: arguments[0], variable: name, predicate: arguments[2]))
  }
}
