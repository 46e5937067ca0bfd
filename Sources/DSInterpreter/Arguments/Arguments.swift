/// The arguments of a verb, which the command's `init(parsing:)` takes one by one.
package struct Arguments {
  package let stage: Stage
  private var piped: Operand?
  /// Whether `|` passed the first argument.
  let isPiped: Bool
  private var atoms: ArraySlice<Atom>
  /// Whether a source was expected but not given.
  var lacksSource = false
  /// Whether the arguments are those of a script that is checked before it runs.
  private let isCheck: Bool
  /// The arguments that were taken, with their declared types; empty for a command that runs.
  private(set) var taken: [Argument] = []

  /// - Throws: ``Diagnostic`` for a label that the command does not have.
  init(_ stage: Stage, piped: Operand?, isCheck: Bool = false) throws {
    self.stage = stage
    self.piped = piped
    isPiped = piped != nil
    self.isCheck = isCheck
    atoms = stage.atoms[...]
    if stage.labels.isEmpty || stage.command.labelsAreKeys { return }
    try checkLabels()
  }

  private func checkLabels() throws {
    let known = command.allLabels
    if let phrase = stage.labelOfTwoWords(known: known.map(\.name)) { throw phrase }
    for labeled in stage.labels where !known.contains(where: { $0.name == labeled.label.text }) {
      throw unknownLabel(labeled.label, known: known.map(\.name))
    }
  }

  private func unknownLabel(_ label: Word, known: [String]) -> Diagnostic {
    let meant = LabelSynonyms.label(for: label.text, among: known)
    let near = (meant ?? Suggestion.nearest(to: label.text, among: known)).map { "\($0):" }
    var message = "\(command.name) has no label `\(label.text):`"
    if known.isEmpty {
      message += "; it takes no labels"
    } else if near == nil {
      message += "; it takes " + known.map { "\($0):" }.joined(separator: " ")
    }
    return Diagnostic(.badArgument, message, suggestion: near, at: label.span)
  }

  var verb: String { stage.verb.text }
  var command: any CommandDeclaration.Type { stage.command }

  /// - Throws: ``Diagnostic`` for an argument that was not taken.
  func finish(isInteractive: Bool) throws {
    if piped != nil {
      throw Diagnostic(
        .badArgument, "\(verb) does not accept a value from `|`", at: stage.verb.span)
    }
    guard let extra = atoms.first else { return }
    if let joined = stage.atoms.first(where: { $0.hasSemicolon }) {
      throw Diagnostic(
        .badArgument, "put a space after the `;` that ends a command: `\(joined.span.text)`",
        at: joined.span)
    }
    if let meant = labelWithoutColon ?? stage.pathWithSpaces(atoms) { throw meant }
    // A script must name the source, so the extra argument may be meant as the source.
    let problem =
      lacksSource && !isInteractive
      ? "\(verb) needs a source, not `\(extra.span.text)`"
      : "unexpected argument `\(extra.span.text)`"
    throw Diagnostic(.badArgument, "\(problem): `\(command.synopsis)`", at: extra.span)
  }

  func missing(_ phrase: String) -> Diagnostic { labelWithoutColon ?? stage.missing(phrase) }

  /// The error of a missing `where:`, whose predicate may be among the arguments by position.
  func missingPredicate() -> Diagnostic {
    labelWithoutColon ?? stage.predicateWithoutLabel(atoms)
      ?? missing(ArgumentType.predicate.phrase)
  }

  /// The error of a label without its colon. The first argument may be a source with the name of a
  /// label.
  private var labelWithoutColon: Diagnostic? {
    let isSource = if case .source? = command.parameters.first?.type { !isPiped } else { false }
    return stage.labelWithoutColon(after: isSource ? 1 : 0)
  }
}

extension Stage {
  /// The error of a missing argument.
  /// - Parameter phrase: the noun phrase for the argument: `a source`.
  func missing(_ phrase: String) -> Diagnostic {
    Diagnostic(
      .badArgument, "\(verb.text) needs \(phrase): `\(command.synopsis)`", at: verb.span)
  }
}

// Arguments by position.
extension Arguments {
  /// Whether no argument by position and no value from `|` is left to take.
  var isEmpty: Bool { piped == nil && atoms.isEmpty }

  /// The next argument, with the given type; it is not taken. The value that `|` passed is the
  /// first argument.
  func peek(_ type: ArgumentType) -> Argument? {
    if let piped { return Argument(.piped(piped), at: stage.verb.span, type: type) }
    return atoms.first.map { Argument($0, type: type) }
  }

  /// Takes the next argument for a declared parameter.
  package mutating func take(_ parameter: Parameter) throws -> Argument? {
    assert(command.parameters.contains { $0.name == parameter.name }, "not declared")
    guard let argument = peek(parameter.type) else { return nil }
    if piped.take() == nil { atoms.removeFirst() }
    if isCheck { taken.append(argument) }
    return argument
  }

  /// - Throws: ``Diagnostic`` when no argument is left.
  package mutating func require(_ parameter: Parameter) throws -> Argument {
    guard let argument = try take(parameter) else { throw missing(parameter.type.phrase) }
    return argument
  }
}

// Values of labels; nil where a label is not given.
extension Arguments {
  /// The value of a declared label.
  /// - Throws: ``Diagnostic`` if the label has more than one value.
  package subscript(label: Label) -> Argument? {
    get throws {
      guard let groups = groups(label) else { return nil }
      return try single(groups, of: label.name)
    }
  }

  /// The location of the first given label that is among others; nil if none is.
  func span(ofAny labels: [Label]) -> Span? {
    stage.labels.first { given in labels.contains { $0.name == given.label.text } }?.label.span
  }

  /// All values of a declared label, separated by commas or in brackets.
  func list(_ label: Label) -> [Argument]? {
    guard case .list(let element) = label.type else { return groups(label)?.flatMap { $0 } }
    return groups(label)?.flatMap { $0 }.flatMap { $0.elements ?? [$0] }.map { $0.typed(element) }
  }

  /// The values of a declared label, split at commas: each group has the values between two commas.
  func groups(_ label: Label) -> [[Argument]]? {
    assert(command.allLabels.contains { $0.name == label.name }, "not declared")
    return value(of: label.name).flatMap { groups($0, label.type) }
  }

  /// The expression of a declared label that accepts a predicate.
  func predicate(_ label: Label) -> Expression? {
    assert(command.allLabels.contains { $0.name == label.name }, "not declared")
    for value in stage.labels where value.label.text == label.name {
      if case .predicate(let expression) = value.content { return expression }
    }
    return nil
  }

  /// The values of a command whose labels are keys.
  func valuesByKey() throws -> [(key: Word, value: Argument)] {
    assert(command.labelsAreKeys, "labels are declared")
    let values = stage.labels.filter { if case .groups = $0.content { true } else { false } }
    return try values.map { labeled in
      guard let groups = groups(labeled, .value),
        let value = try single(groups, of: labeled.label.text)
      else {
        throw Diagnostic(
          .badArgument, "`\(labeled.label.text):` does not accept a predicate here",
          at: labeled.label.span)
      }
      return (labeled.label, value)
    }
  }

  private func value(of name: String) -> LabeledValue? {
    stage.labels.first { $0.label.text == name }
  }

  private func groups(_ value: LabeledValue, _ type: ArgumentType) -> [[Argument]]? {
    guard case .groups(let groups) = value.content else { return nil }
    return groups.map { $0.map { Argument($0, type: type, label: value.label.text) } }
  }

  private func single(_ groups: [[Argument]], of label: String) throws -> Argument? {
    guard let first = groups.first?.first else { return nil }
    guard groups.count == 1, groups[0].count == 1 else {
      let all = groups.flatMap { $0 }
      throw Diagnostic(
        .syntax, "`\(label):` accepts one value\(Self.fix(groups))",
        at: all.count > 1 ? all[1].span : first.span)
    }
    return first
  }

  private static func fix(_ groups: [[Argument]]) -> String {
    guard groups.count == 1 else { return "" }
    let words = groups[0].map(\.span.text)
    guard words.allSatisfy({ !$0.contains("\"") && !$0.contains("'") }) else { return "" }
    return "; write `\"\(words.joined(separator: " "))\"` to mean the string"
  }
}

extension [[Argument]] {
  /// Whether the only value is `null`.
  var isNull: Bool { count == 1 && self[0].count == 1 && self[0][0].isNull }
}
