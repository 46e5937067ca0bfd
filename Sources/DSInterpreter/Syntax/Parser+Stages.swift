// Pipes: verbs with their arguments and labels.
extension Parser {
  /// Returns the verb of a token; nil for other words.
  func verb(at token: Token) throws(Diagnostic) -> Verb? {
    guard token.kind == .word else { return nil }
    let text = span(token).text
    let word = Word(text: text, span: span(token))
    if let command = commands[text] { return Verb(word: word, command: command) }
    guard let signature = commands.signature(named: text), let call = commands.call else {
      return nil
    }
    return Verb(word: word, command: call, signature: signature)
  }

  /// Parses a command or an expression, and the commands that it is piped to.
  mutating func pipe() throws(Diagnostic) -> Pipe {
    let first = try scanner.peek(.arguments)
    return try pipe(at: first, try verb(at: first))
  }

  /// - Parameters:
  ///   - first: the token at the current position.
  ///   - verb: the verb that `first` names; nil if it names none.
  mutating func pipe(at first: Token, _ verb: Verb?) throws(Diagnostic) -> Pipe {
    if first.is("|") {
      throw error(
        "expected a command before `|`, which can end a line but not begin one", at: first)
    }
    var head: Expression?
    let stages: [Stage]
    if let verb {
      let stage = try stage(of: verb)
      let piped = try pipedStages()
      stages = piped.isEmpty ? [stage] : [stage] + piped
    } else {
      head = try headExpression()
      stages = try pipedStages()
    }
    return Pipe(head: head, stages: stages, span: scanner.span(first.start..<scanner.offset))
  }

  mutating func pipedStages() throws(Diagnostic) -> [Stage] {
    var stages: [Stage] = []
    while try scanner.peek(.arguments).is("|") {
      let bar = try scanner.next(.arguments)
      scanner.offset = scanner.skippingTrivia(from: scanner.offset, lineEnds: true)
      stages.append(try pipedStage(after: bar))
    }
    return stages
  }

  private mutating func pipedStage(after bar: Token) throws(Diagnostic) -> Stage {
    let token = try scanner.peek(.arguments)
    if token.is("|") { throw error("`||` is for expressions; `|` passes to a command", at: bar) }
    guard token.kind == .word else {
      throw error("expected a command after `|`", at: token.endsCommand ? bar : token)
    }
    guard let verb = try verb(at: token) else { throw unknownVerb(at: token, isPiped: true) }
    return try stage(of: verb)
  }

  /// Parses an expression at the start of a line. Reports a name with arguments as an unknown verb.
  private mutating func headExpression() throws(Diagnostic) -> Expression {
    let first = try scanner.peek(.arguments)
    guard first.kind == .word else { return try expression() }
    let start = scanner.offset
    _ = try scanner.next(.expression)
    if try scanner.peek(.expression).kind == .symbol(.assignment) {
      let name = try scanner.text(of: first)
      _ = try scanner.next(.expression)
      if Name.isValid(name), let verb = try verb(at: try scanner.peek(.arguments)) {
        throw error(
          "to bind a name, begin with `let`: `let \(name) = \(verb.word.text) …`", at: first)
      }
    }
    scanner.offset = start
    let expression: Expression
    do throws(Diagnostic) {
      expression = try self.expression()
    } catch {
      throw foreignVerb(at: first) ?? error
    }
    let next = try scanner.peek(.arguments)
    if endsStage(next) { return expression }
    if case .name = expression.kind { throw unknownVerb(at: first) }
    throw foreignVerb(at: first) ?? unexpected(next)
  }

  /// Whether a token ends a command of a pipe, of parentheses or of a block.
  private func endsStage(_ token: Token) -> Bool {
    token.endsCommand || token.is("|") || token.is(")") || blockDepth > 0 && token.is("}")
  }

  /// - Parameter isPiped: whether the word follows `|`.
  func unknownVerb(at token: Token, isPiped: Bool = false) -> Diagnostic {
    let verb = span(token).text
    if verb == "else" {
      return error("`else` must follow the `}` of `if … { … }`", at: token)
    }
    if isElseIf(token) { return elseIfMistake(at: token) }
    if commands.properties.contains(verb) {
      return Diagnostic(
        .unknownVerb,
        "`\(verb)` is a property of a source, not a command; `print NAME.\(verb)` shows it",
        at: span(token))
    }
    if let foreign = foreignVerb(at: token, isPiped: isPiped) { return foreign }
    let near = Suggestion.nearest(to: verb, among: commands.names)
    return Diagnostic(
      .unknownVerb, "no command named `\(verb)`\(near == nil ? " (help lists them)" : "")",
      suggestion: near, at: span(token))
  }

  /// Parses a verb and its arguments, at the verb.
  private mutating func stage(of verb: Verb) throws(Diagnostic) -> Stage {
    let token = try scanner.next(.arguments)
    let text = verb.word.text
    switch verb.command.form {
    case .check, .block:
      throw error("`\(text)` must be at the start of a line", at: token)
    case .expression:
      let next = try scanner.peek(.arguments)
      let value = endsStage(next) ? nil : try expression()
      return Stage(
        verb, expression: value, span: scanner.span(token.start..<scanner.offset))
    case .arguments: break
    }
    let interpolations = numberOfInsertions
    let atoms = try positionals(of: verb)
    let labels = try labels(of: text)
    return Stage(
      verb, atoms: atoms, labels: labels,
      hasInsertions: numberOfInsertions > interpolations,
      span: scanner.span(token.start..<scanner.offset))
  }

  private mutating func positionals(of verb: Verb) throws(Diagnostic) -> [Atom] {
    let acceptsCommas = verb.command.parameters.last?.count == .list
    var atoms: [Atom] = []
    while true {
      let token = try scanner.peek(.arguments)
      if token.is(",") {
        _ = try scanner.next(.arguments)
        scanner.offset = scanner.skippingTrivia(from: scanner.offset, lineEnds: true)
        let next = try scanner.peek(.arguments)
        if next.kind == .label { throw commaBefore(try scanner.text(of: next), at: token) }
        if acceptsCommas, !atoms.isEmpty, next.beginsAtom { continue }
        throw error(
          acceptsCommas
            ? "expected a value after this comma of `\(verb.word.text)`"
            : "separate the arguments of `\(verb.word.text)` with spaces, not with commas",
          at: token)
      }
      guard token.beginsAtom else { return atoms }
      try checkSpace(token)
      if let name = sourceBeforeIndex(token, of: verb, at: atoms.count) {
        atoms.append(name)
      } else {
        atoms.append(try atom())
      }
    }
  }

  /// Parses the name in `letters[5, 1]`, where a verb takes a source and an index path; nil for any
  /// other word.
  private mutating func sourceBeforeIndex(
    _ token: Token, of verb: Verb, at position: Int
  ) -> Atom? {
    let parameters = verb.command.parameters.dropFirst(position).prefix(2).map(\.type)
    guard parameters.count == 2, case .source = parameters[0], parameters[1].isPlace else {
      return nil
    }
    return nameBeforeIndex(token)
  }

  /// Parses the name in `letters[5, 1]`; nil for any other token.
  mutating func nameBeforeIndex(_ token: Token) -> Atom? {
    guard token.kind == .word else { return nil }
    let name = span(token).text.prefix { $0 != "[" }
    guard name.utf8.count < token.end - token.start, Name.isValid(String(name)) else { return nil }
    scanner.offset = token.start + name.utf8.count
    return Atom(
      kind: .word(String(name)), span: scanner.span(token.start..<scanner.offset))
  }

  func commaBefore(_ label: String, at comma: Token) -> Diagnostic {
    error("remove the comma before the label `\(label):`", at: comma)
  }

  /// Rejects a word such as `key:city` that begins with a label.
  ///
  /// - Parameter verb: for a word in the value of a label, the verb whose labels are rejected; nil
  ///   to reject the labels of all commands.
  func checkSpace(_ token: Token, verb: String? = nil) throws(Diagnostic) {
    guard token.kind == .word else { return }
    let bytes = scanner.script.bytes[token.start..<token.end]
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return }
    let name = scanner.script.string(token.start..<colon)
    let isLabel =
      if let verb {
        commands[verb]?.allLabels.contains { $0.name == name } == true
      } else {
        // `file:` also begins a URL.
        name != "file" && commands.haveLabel(name)
      }
    guard isLabel else { return }
    let rest = scanner.script.string(colon + 1..<token.end)
    throw error("put a space after the label: `\(name): \(rest)`", at: token)
  }
}

// Labels.
extension Parser {
  mutating func labels(of verb: String) throws(Diagnostic) -> [LabeledValue] {
    var labels: [LabeledValue] = []
    while try scanner.peek(.arguments).kind == .label {
      let token = try scanner.next(.arguments)
      let name = try scanner.text(of: token)
      let word = Word(text: name, span: scanner.span(token.start..<token.end))
      // A quoted label is a key of the object, even if a label has its name.
      let isKey = commands[verb]?.labelsAreKeys == true && scanner.isQuote(token.start)
      let earlier = labels.firstIndex { $0.label.text == name && $0.isKey == isKey }
      if earlier != nil, !isRepeatable(name, verb: verb) {
        throw error("`\(name):` is given twice", at: token)
      }
      try checkValue(of: name, verb: verb, at: token)
      let content: LabeledValue.Content =
        name == "where" && !isKey
        ? .predicate(try predicate()) : .groups(try groups(of: name, verb: verb))
      let value = LabeledValue(
        label: word, content: content, isKey: isKey,
        span: scanner.span(token.start..<scanner.offset))
      if let earlier {
        guard let joined = labels[earlier].adding(value) else {
          throw error("`\(name):` is given twice", at: token)
        }
        labels[earlier] = joined
      } else {
        labels.append(value)
      }
    }
    return labels
  }

  private func isRepeatable(_ label: String, verb: String) -> Bool {
    commands[verb]?.allLabels.contains { $0.name == label && $0.isRepeatable } ?? false
  }

  private mutating func checkValue(
    of name: String, verb: String, at label: Token
  ) throws(Diagnostic) {
    let next = try scanner.peek(.arguments)
    if next.beginsAtom { return }
    if case .punctuation(UInt8(ascii: "|")) = next.kind, name == "delimiter" {
      throw error("quote the bar: `\(name): \"|\"`", at: next)
    }
    let example = commands[verb]?.allLabels.first { $0.name == name }?.example
    let fix = example.map { ", for example `\(name): \($0)`" } ?? ""
    throw error("`\(name):` has no value\(fix)", at: label)
  }

  /// Parses the parts between commas; a line may end after a comma.
  mutating func groups(of label: String, verb: String) throws(Diagnostic) -> [[Atom]] {
    var groups: [[Atom]] = []
    while true {
      var group: [Atom] = []
      while true {
        let token = try scanner.peek(.arguments)
        guard token.beginsAtom else { break }
        try checkSpace(token, verb: verb)
        group.append(try literal())
      }
      groups.append(group)
      let comma = try scanner.peek(.arguments)
      guard comma.is(",") else { return groups }
      _ = try scanner.next(.arguments)
      scanner.offset = scanner.skippingTrivia(from: scanner.offset, lineEnds: true)
      let next = try scanner.peek(.arguments)
      if next.kind == .label { throw commaBefore(try scanner.text(of: next), at: comma) }
      guard next.beginsAtom else {
        throw error("expected a value after this comma of `\(label):`", at: comma)
      }
    }
  }
}
