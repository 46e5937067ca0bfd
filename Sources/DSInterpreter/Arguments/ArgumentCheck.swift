import DataTables

// Checks of arguments that run no command.
extension Line {
  /// The mistakes in the arguments of the line's commands, found without running the commands:
  /// unknown labels and words, values of the wrong type, missing arguments. Each command has at
  /// most one mistake.
  ///
  /// The command of `expect throws` is not checked.
  package var argumentMistakes: [Diagnostic] {
    switch kind {
    case .pipe(let pipe), .binding(_, let pipe): pipe.argumentMistakes
    }
  }
}

extension Pipe {
  fileprivate var argumentMistakes: [Diagnostic] {
    (head?.commands.flatMap(\.argumentMistakes) ?? [])
      + stages.enumerated().flatMap { index, stage in
        stage.argumentMistakes(isPiped: index > 0 || head != nil)
      }
  }
}

extension Stage {
  fileprivate func argumentMistakes(isPiped: Bool) -> [Diagnostic] {
    var mistakes: [Diagnostic] = []
    mistakes += blockLines.flatMap(\.argumentMistakes)
    if command.form == .arguments {
      do { try checkArguments(isPiped: isPiped) } catch {
        mistakes.append(Diagnostic(facts: error))
      }
    }
    var expressions = labels.compactMap(\.predicate)
    if let expression { expressions.append(expression) }
    var open = atoms + labels.flatMap(\.atoms)
    switch check {
    case .holds(let expression)?: expressions.append(expression)
    case .objects(let check)?:
      open.append(check.source)
      if case .predicate(let expression, _) = check.condition { expressions.append(expression) }
    case .throws?, nil: break
    }
    mistakes += expressions.flatMap(\.commands).flatMap(\.argumentMistakes)
    while let atom = open.popLast() {
      switch atom.kind {
      case .parenthesized(let pipe): mistakes += pipe.argumentMistakes
      case .list(let atoms): open += atoms
      case .record(let pairs): open += pairs.map(\.value)
      case .interpolated(let interpolation):
        mistakes += interpolation.expressions.flatMap(\.commands).flatMap(\.argumentMistakes)
      case .word, .quoted, .environment: break
      }
    }
    return mistakes
  }

  /// Parses the arguments as the command does when it runs, and checks the type of each.
  private func checkArguments(isPiped: Bool) throws {
    guard let command = command as? any Command.Type else { return }
    var arguments = try Arguments(
      self, piped: isPiped ? Operand.none : nil, checksValues: !hasInsertions)
    // Inserted values are known when the command runs.
    if hasInsertions { return }
    _ = try command.init(parsing: &arguments)
    try arguments.finish(isInteractive: false)
    if arguments.lacksSource { throw arguments.missing(ArgumentType.source.phrase) }
  }
}

extension LabeledValue {
  fileprivate var atoms: [Atom] {
    if case .groups(let groups) = content { groups.flatMap { $0 } } else { [] }
  }

  fileprivate var predicate: Expression? {
    if case .predicate(let expression) = content { expression } else { nil }
  }
}

extension Expression {
  /// The commands in parentheses, at any depth of the expression.
  fileprivate var commands: [Pipe] {
    if case .command(let pipe) = kind { [pipe] } else { parts.flatMap(\.commands) }
  }
}

extension Arguments {
  /// - Throws: ``Diagnostic`` for the first value of a label that has the wrong type.
  func checkValues() throws {
    for labeled in stage.labels {
      guard let label = command.allLabels.first(where: { $0.name == labeled.label.text }),
        let groups = groups(label), !groups.isNull
      else { continue }
      switch label.type {
      case .sortDescriptors:
        for group in groups {
          try check(group, .keyPath(.everyRow), then: SortDescriptor.qualifiers)
        }
      case .list(.phrase(let first, let words)):
        for group in groups { try check(group, first, then: words) }
      case .list(let element):
        for argument in groups.flatMap({ $0 }) { try argument.typed(.list(element)).check() }
      // A list is checked when the command runs.
      case .phrase where groups.first?.first?.elements != nil: break
      case .phrase(let first, let words):
        try check(groups.flatMap { $0 }, first, then: words)
      default: try self[label]?.check()
      }
    }
  }

  private func check(_ words: [Argument], _ first: ArgumentType, then qualifiers: Choices) throws {
    try words.first?.typed(first).check()
    var rest = words.dropFirst()
    if case .keyPath = first { _ = try SortList(parsing: &rest) }
    for word in rest where !qualifiers.contains(word.text ?? "") {
      throw word.unknownQualifier
    }
  }
}

extension Argument {
  /// Checks the argument against its type. A command in parentheses is not checked, because it may
  /// return anything.
  /// - Throws: the error that the command throws for the argument when it runs.
  func check() throws {
    guard case .atom(let atom) = form else { return }
    switch atom.kind {
    case .parenthesized, .environment, .interpolated: return
    case .word, .quoted, .list, .record: break
    }
    switch type {
    case .value, .predicate, .expression, .sortDescriptors, .phrase: break
    case .source, .database: guard word != nil else { throw mismatch() }
    case .objects: guard elements != nil || text != nil else { throw mismatch() }
    case .record(let element):
      guard let entries else { throw mismatch() }
      for (_, value) in entries { try Argument(value, type: element, label: label).check() }
    case .boundName, .string, .path, .verb, .helpTopic, .outputStyle, .stubbedURL:
      guard text != nil else { throw mismatch() }
    case .newName: _ = try newName()
    case .keyPath: _ = try literalKeyPath()
    case .aggregate: _ = try literalKeyPath().map { try aggregate($0) }
    case .indexPath: _ = try IndexPathArgument(self).literalPath()
    case .place: _ = try IndexPathArgument(self).literalPlace()
    case .places: try IndexPathArgument(self).checkPlaces()
    case .section: _ = try IndexPathArgument(self).literalSection()
    case .choice: _ = try choice()
    case .boolean: _ = try boolean()
    case .integer: _ = try integer()
    case .seconds: _ = try seconds()
    case .character: _ = try text.map { try character($0) }
    case .url: try text.map { try checkURL($0) }
    case .locale: try text.map { try checkLocale($0) }
    case .zone: _ = try text.map { try zone($0) }
    case .list(let element):
      for argument in elements ?? [self] { try argument.typed(element).check() }
    case .either(let types): try check(anyOf: types)
    }
  }

  private func check(anyOf types: [ArgumentType]) throws {
    var mistake: Diagnostic?
    for type in types {
      do { return try typed(type).check() } catch let next as Diagnostic {
        // Keep the first error that suggests a similar word, because it helps most.
        if mistake?.suggestion == nil { mistake = next }
      }
    }
    if let mistake { throw mistake }
  }
}
