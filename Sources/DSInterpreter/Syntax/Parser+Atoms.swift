import DataTables

// Atoms: the values among arguments, and everything in brackets.
extension Parser {
  /// Parses an atom, or `env NAME`.
  mutating func literal() throws(Diagnostic) -> Atom {
    let token = try scanner.peek(.arguments)
    guard token.isWord("env", in: scanner.script) else { return try atom() }
    scanner.skip(token)
    let name = try scanner.peek(.arguments)
    guard name.kind == .word else { return Atom(kind: .word("env"), span: span(token)) }
    scanner.skip(name)
    return Atom(
      kind: .environment(try scanner.text(of: name)),
      span: scanner.span(token.start..<name.end))
  }

  mutating func atom() throws(Diagnostic) -> Atom {
    let token = try scanner.next(.arguments)
    let kind: Atom.Kind
    switch token.kind {
    case .word:
      if let mistake = typographicQuote(token) { throw mistake }
      kind = .word(span(token).text)
      if scanner.byte(at: token.start) == UInt8(ascii: "$") { numberOfInsertions += 1 }
    case .quoted:
      if let interpolation = try interpolation(token) {
        kind = .interpolated(interpolation)
      } else {
        kind = .quoted(try scanner.text(of: token))
      }
    case .punctuation(UInt8(ascii: "[")):
      kind = .list(
        try bracketed(token, closing: "]", .arguments) { parser throws(Diagnostic) in
          try parser.literal()
        })
    case .punctuation(UInt8(ascii: "{")):
      kind = .record(
        try bracketed(token, closing: "}", .arguments) { parser throws(Diagnostic) in
          let key = try parser.recordKey()
          return (key, try parser.literal())
        })
    case .punctuation(UInt8(ascii: "(")): kind = .parenthesized(try parenthesized(token))
    default: throw unexpected(token)
    }
    return Atom(kind: kind, span: scanner.span(token.start..<scanner.offset))
  }

  mutating func recordKey() throws(Diagnostic) -> Word {
    guard let (key, end) = try scanner.recordKey() else {
      let token = try scanner.peek(.arguments)
      throw error("expected a key and a colon, as in `{name: Pie}`", at: token)
    }
    scanner.offset = end
    return key
  }

  /// Parses the elements between brackets, after the opening bracket.
  ///
  /// - Parameter mode: the mode in which elements are scanned, so that no token is scanned twice.
  mutating func bracketed<Element>(
    _ opening: Token, closing: Unicode.Scalar, _ mode: Scanner.Mode,
    element: (inout Parser) throws(Diagnostic) -> Element
  ) throws(Diagnostic) -> [Element] {
    var elements: [Element] = []
    scanner.openBrackets += 1
    while true {
      let token = try scanner.peek(mode)
      if token.is(closing) {
        scanner.skip(token)
        break
      }
      if token.kind == .end { throw notClosed(opening) }
      // Avoids repeated growth; most lists have several elements.
      if elements.isEmpty { elements.reserveCapacity(4) }
      elements.append(
        try nested(at: token) { parser throws(Diagnostic) in try element(&parser) })
      let next = try scanner.peek(mode)
      if next.is(",") {
        scanner.skip(next)
      } else if next.kind == .end {
        throw notClosed(opening)
      } else if !next.is(closing) {
        throw missingComma(before: try scanner.peek(.arguments), closing: closing)
      }
    }
    scanner.openBrackets -= 1
    return elements
  }

  private func missingComma(before token: Token, closing: Unicode.Scalar) -> Diagnostic {
    switch token.kind {
    case .word, .quoted: error("a comma or `\(closing)` is missing before this", at: token)
    default: error("expected `\(closing)` or a comma", at: token)
    }
  }

  func notClosed(_ opening: Token) -> Diagnostic {
    error("this `\(span(opening).text)` is not closed", at: opening)
  }

  /// Parses a command or an expression in parentheses, after the opening parenthesis.
  mutating func parenthesized(_ opening: Token) throws(Diagnostic) -> Pipe {
    scanner.openBrackets += 1
    let pipe = try nested(at: opening) { parser throws(Diagnostic) in
      let first = try parser.scanner.peek(.arguments)
      if first.kind == .end { throw parser.notClosed(opening) }
      if first.is(")") { throw parser.error("these parentheses are empty", at: opening) }
      return try parser.parenthesizedContent()
    }
    let closing = try scanner.next(.arguments)
    if closing.kind == .end { throw notClosed(opening) }
    guard closing.is(")") else {
      throw closing.kind == .separator
        ? error("`;` ends a command, but `(` is still open", at: closing) : unexpected(closing)
    }
    scanner.openBrackets -= 1
    return pipe
  }

  private mutating func parenthesizedContent() throws(Diagnostic) -> Pipe {
    if try beginsCommand() { return try pipe() }
    let start = scanner.skippingTrivia(from: scanner.offset, lineEnds: true)
    let first = try scanner.peek(.arguments)
    let value = try expression()
    let next = try scanner.peek(.arguments)
    if next.beginsAtom, case .name = value.kind { throw unknownVerb(at: first) }
    return Pipe(
      head: value, stages: try pipedStages(), span: scanner.span(start..<scanner.offset))
  }

  /// Whether a verb with an argument, a label or `|` after it is at the current position.
  mutating func beginsCommand() throws(Diagnostic) -> Bool {
    let start = scanner.offset
    defer { scanner.offset = start }
    let first = try scanner.next(.arguments)
    guard try verb(at: first) != nil else { return false }
    if scanner.byte(at: first.end) == UInt8(ascii: "("),
      ValueFunction.named(try scanner.text(of: first)) != nil
    {
      return false
    }
    if case .symbol = try scanner.peek(.expression).kind { return false }
    let next = try scanner.peek(.arguments)
    switch next.kind {
    case .quoted, .label: return true
    case .word:
      let word = try scanner.text(of: next)
      let operators = ComparisonOperator.Kind(word: String(word.prefix { $0 != "[" }))
      return operators == nil && !next.isArithmetic(in: scanner.script)
        && !["and", "or"].contains(word.lowercased())
    default: return next.is("(") || next.is("[") || next.is("{") || next.is("|")
    }
  }
}
