import DataTables

// Arguments.
extension StaticCheck {
  /// Checks the arguments of a command, in the order in which it would read them.
  mutating func visitArguments(of stage: Stage, isPiped: Bool) {
    if stage.hasInsertions {
      // The values are inserted before the command reads its arguments.
      if !isPiped, let first = stage.atoms.first, let parameter = stage.command.parameters.first,
        case .source = parameter.type
      {
        checkNames(of: Argument(first, type: .source))
      }
      visitValues(of: stage)
    }
    do {
      let arguments = try stage.parsedArguments(
        isPiped: isPiped, lastUsed: lastUsed, isInteractive: session.options.isInteractive)
      for argument in arguments?.taken ?? [] {
        checkNames(of: argument)
        try argument.check()
      }
      for argument in try arguments?.checkedValues() ?? [] { checkNames(of: argument) }
    } catch {
      report(error)
    }
    if !stage.hasInsertions { visitValues(of: stage) }
  }

  /// Checks the words of an argument that are names.
  mutating func checkNames(of argument: Argument) {
    switch argument.type {
    case .source:
      guard let word = argument.word, !word.contains("["), case .string = Value(literal: word)
      else { return }
      let name = Session.name(of: word)
      // Whether a database has a table is known when the line runs.
      if let dot = name.firstIndex(of: "."), scope[String(name[..<dot])] != nil { return }
      if checkName(name, use: .source, at: argument.span) { lastUsed = name }
    case .database:
      if let word = argument.word { checkName(word, use: .database, at: argument.span) }
    case .boundName:
      if let word = argument.word { checkName(word, use: .bound, at: argument.span) }
    case .outputStyle:
      do { _ = try argument.style(of: session) } catch { report(error) }
    case .list(let element):
      for argument in argument.elements ?? [argument] {
        checkNames(of: argument.typed(element))
      }
    default: break
    }
  }

  /// - Returns: whether the name is bound, as far as it is known.
  @discardableResult
  mutating func checkName(_ name: String, use: UnknownName.Use, at span: Span) -> Bool {
    guard scope[name] == nil else { return true }
    guard !scope.isOpen, mistake == nil else { return false }
    report(
      UnknownName(name: name, use: use, span: span)
        .error(known: scope.names(for: use), commands: commands))
    return false
  }
}

// Values, and the commands in them.
extension StaticCheck {
  private mutating func visitValues(of stage: Stage) {
    if let expression = stage.expression { visit(expression) }
    let first = stage.command.parameters.first?.type
    // `$name` is a value, except where the argument is a word of another kind.
    let isWord =
      switch first {
      case .boundName?, .newName?, .verb?, .helpTopic?, .either?: true
      default: false
      }
    for atom in stage.atoms where !isWord || atom.variable == nil { visit(atom) }
    for label in stage.labels { visit(label) }
  }

  private mutating func visit(_ label: LabeledValue) {
    switch label.content {
    case .groups(let groups): for group in groups { for atom in group { visit(atom) } }
    case .predicate(let predicate): visit(predicate, isPredicate: true)
    }
  }

  mutating func visit(_ atom: Atom) {
    switch atom.kind {
    case .word:
      guard let name = atom.variable, !subqueryVariables.contains(name) else { return }
      checkName(name, use: .bound, at: atom.span)
    case .interpolated(let interpolation):
      for expression in interpolation.expressions { visit(expression) }
    case .list(let atoms): for atom in atoms { visit(atom) }
    case .record(let pairs): for (_, value) in pairs { visit(value) }
    case .parenthesized(let pipe): visit(pipe)
    case .quoted, .environment: break
    }
  }

  /// - Parameter isPredicate: whether names are keys of the object.
  mutating func visit(_ expression: Expression, isPredicate: Bool = false) {
    switch expression.kind {
    case .name(let name):
      if !isPredicate { checkName(name, use: .value, at: expression.span) }
    case .variable(let name):
      guard !subqueryVariables.contains(name) else { return }
      checkName(name, use: .bound, at: expression.span)
    case .command(let pipe): visit(pipe)
    // Its expressions are evaluated in the session.
    case .interpolated: for part in expression.parts { visit(part) }
    case .subquery(let subquery):
      visit(subquery.list, isPredicate: isPredicate)
      subqueryVariables.append(subquery.variable)
      visit(subquery.predicate, isPredicate: true)
      subqueryVariables.removeLast()
    default: for part in expression.parts { visit(part, isPredicate: isPredicate) }
    }
  }

  mutating func visit(_ check: Check) {
    switch check {
    case .holds(let expression): visit(expression)
    case .throws(_, let rest): bindNames(ofLineIn: rest)
    case .objects(let check):
      checkNames(of: Argument(check.source, type: .source))
      visit(check.source)
      if let place = check.place { checkType(of: Argument(place, type: .section)) }
      switch check.condition {
      case .predicate(let predicate, _): visit(predicate, isPredicate: true)
      case .unique(let key): visit(key)
      case .sorted(let value, let nulls):
        visit(value)
        guard let nulls else { return }
        let label = SortArguments.nulls
        checkType(of: Argument(nulls, type: label.type, label: label.name))
      }
    }
  }

  private mutating func checkType(of argument: Argument) {
    do { try argument.check() } catch { report(error) }
    if case .atom(let atom) = argument.form { visit(atom) }
  }
}
