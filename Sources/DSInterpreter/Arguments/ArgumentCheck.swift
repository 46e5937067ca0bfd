import DataTables

// Checks of arguments that run no command.
extension Stage {
  /// The arguments, parsed as the command does when it runs; nil for a verb that has none to check.
  ///
  /// Only the labels of a stage with inserted values are checked, because the values are known when
  /// the command runs; it has no arguments then.
  ///
  /// - Parameters:
  ///   - isPiped: whether `|` passes the first argument.
  ///   - lastUsed: the name of the source used last, for the error of a missing source.
  ///   - isInteractive: whether the source used last replaces a missing one.
  /// - Throws: the error that the command throws when it runs: an unknown label, a missing or an
  ///   unexpected argument.
  func parsedArguments(
    isPiped: Bool, lastUsed: String?, isInteractive: Bool
  ) throws -> Arguments? {
    guard let command = command as? any Command.Type else { return nil }
    var arguments = try Arguments(self, piped: isPiped ? Operand.none : nil, isCheck: true)
    if hasInsertions { return nil }
    _ = try command.init(parsing: &arguments)
    try arguments.finish(isInteractive: isInteractive)
    if arguments.lacksSource, !isInteractive { throw missingSource(lastUsed: lastUsed) }
    return arguments
  }
}

extension Arguments {
  /// Checks the values of labels.
  /// - Returns: the values that are single arguments, with their declared types.
  /// - Throws: ``Diagnostic`` for the first value that has the wrong type.
  func checkedValues() throws -> [Argument] {
    var values: [Argument] = []
    if command.labelsAreKeys { return values }
    for labeled in stage.labels {
      guard let label = command.allLabels.first(where: { $0.name == labeled.label.text }),
        let groups = groups(label), !groups.isNull
      else { continue }
      switch label.type {
      case .sortDescriptors:
        for group in groups {
          try check(group, .keyPath(.everyRow), then: .choice(SortDescriptor.qualifiers))
        }
      case .list(.phrase(let first, let rest)):
        for group in groups { try check(group, first, then: rest) }
      case .list(let element):
        values += groups.flatMap { $0 }.map { $0.typed(.list(element)) }
      // A list is checked when the command runs.
      case .phrase where groups.first?.first?.elements != nil: break
      case .phrase(let first, let rest):
        try check(groups.flatMap { $0 }, first, then: rest)
      default: if let argument = try self[label] { values.append(argument) }
      }
    }
    for value in values { try value.check() }
    return values
  }

  private func check(_ words: [Argument], _ first: ArgumentType, then last: ArgumentType) throws {
    try words.first?.typed(first).check()
    var rest = words.dropFirst()
    if case .keyPath = first { _ = try SortList(parsing: &rest) }
    guard case .choice(let qualifiers) = last else {
      for word in rest { try word.typed(last).check() }
      return
    }
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
    case .value, .position, .title, .predicate, .expression, .sortDescriptors, .phrase: break
    case .source, .database: guard word != nil else { throw mismatch() }
    case .objects: guard elements != nil || text != nil else { throw mismatch() }
    case .record(let element):
      guard let entries else { throw mismatch() }
      for (_, value) in entries { try Argument(value, type: element, label: label).check() }
    case .boundName, .string, .path, .target, .verb, .helpTopic, .helpWord, .indexTitle,
      .outputStyle, .stubbedURL, .known:
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
    case .fraction: _ = try fraction()
    case .character: _ = try text.map { try character($0) }
    case .url: try text.map { try checkURL($0) }
    case .locale: try text.map { try checkLocale($0) }
    case .zone: _ = try text.map { try zone($0) }
    case .list(let element):
      for argument in elements ?? [self] { try argument.typed(element).check() }
    case .either(let types): try check(anyOf: types)
    }
  }

  /// - Throws: the first error that suggests a similar word, because it helps most; without one, an
  ///   error that names all types.
  private func check(anyOf types: [ArgumentType]) throws {
    var mistake: Diagnostic?
    for type in types {
      do { return try typed(type).check() } catch let next as Diagnostic {
        if mistake?.suggestion == nil { mistake = next }
      }
    }
    guard let mistake, mistake.suggestion != nil else { throw mismatch() }
    throw mistake
  }
}
