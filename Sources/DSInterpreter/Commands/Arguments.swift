import DataTables

/// What stands after a verb, taken piece by piece by the command's `init(parsing:)`.
package struct Arguments {
  package let stage: Stage
  private var piped: Operand?
  private var atoms: ArraySlice<Atom>
  /// Whether a source was wanted and none was there.
  var lacksSource = false

  /// - Throws: ``Diagnostic`` for a label that the command does not have.
  init(_ stage: Stage, piped: Operand?) throws {
    self.stage = stage
    self.piped = piped
    atoms = stage.atoms[...]
    if !stage.labels.isEmpty, !stage.command.labelsAreKeys { try Self.checkLabels(of: stage) }
  }

  private static func checkLabels(of stage: Stage) throws {
    let known = stage.command.allLabels
    for label in stage.labels where !known.contains(where: { $0.name == label.label.text }) {
      throw unknownLabel(label.label, of: stage.command)
    }
  }

  var verb: String { stage.verb.text }
  var command: any Command.Type { stage.command }

  /// The next argument; what `|` passes counts as the first.
  var next: Argument? {
    if let piped { return Argument(form: .piped(piped), span: stage.verb.span) }
    return atoms.first.map { Argument(form: .atom($0), span: $0.span) }
  }

  mutating func take() -> Argument? {
    if let piped = piped.take() { return Argument(form: .piped(piped), span: stage.verb.span) }
    return atoms.popFirst().map { Argument(form: .atom($0), span: $0.span) }
  }

  /// The next argument, which `what` names in the error when it is missing.
  package mutating func required(_ what: String) throws -> Argument {
    guard let argument = take() else { throw missing(what) }
    return argument
  }

  func missing(_ what: String) -> Diagnostic {
    Diagnostic(
      .badArgument, "\(verb) wants \(what): `\(command.synopsis)`", at: stage.verb.span)
  }

  /// - Throws: ``Diagnostic`` when an argument was not taken.
  func finish(isInteractive: Bool) throws {
    if piped != nil {
      throw Diagnostic(.badArgument, "\(verb) takes nothing from `|`", at: stage.verb.span)
    }
    guard let extra = atoms.first else { return }
    // What is too much may stand where the source is missing, which a script cannot leave out.
    if lacksSource, !isInteractive {
      throw Diagnostic(
        .badArgument, "\(verb) wants a source, not `\(extra.span.text)`: `\(command.synopsis)`",
        at: extra.span)
    }
    throw Diagnostic(
      .badArgument, "`\(extra.span.text)` is one argument too many: `\(command.synopsis)`",
      at: extra.span)
  }

  private static func unknownLabel(
    _ label: Word, of command: any Command.Type
  ) -> Diagnostic {
    let known = command.allLabels.map(\.name)
    let near = Suggestion.nearest(to: label.text, among: known).map { "\($0):" }
    var message = "\(command.name) has no label `\(label.text):`"
    if known.isEmpty {
      message += "; it takes none"
    } else if near == nil {
      message += "; it takes " + known.map { "\($0):" }.joined(separator: " ")
    }
    return Diagnostic(.badArgument, message, suggestion: near, at: label.span)
  }
}

// Labels.
extension Arguments {
  /// The parts between the commas of a label's value; nil when the label is not given.
  func groups(_ name: String) -> [[Argument]]? {
    guard let value = stage.labels.first(where: { $0.label.text == name }),
      case .groups(let groups) = value.content
    else { return nil }
    return groups.map { $0.map { Argument(form: .atom($0), span: $0.span) } }
  }

  /// The one argument of a label; nil when the label is not given.
  package func label(_ name: String) throws -> Argument? {
    guard let groups = groups(name), let first = groups.first?.first else { return nil }
    guard groups.count == 1, groups[0].count == 1 else {
      let all = groups.flatMap { $0 }
      throw Diagnostic(
        .syntax, "`\(name):` takes one value\(Self.mend(groups))",
        at: all.count > 1 ? all[1].span : first.span)
    }
    return first
  }

  private static func mend(_ groups: [[Argument]]) -> String {
    guard groups.count == 1 else { return "" }
    let words = groups[0].map(\.span.text)
    guard words.allSatisfy({ !$0.contains("\"") && !$0.contains("'") }) else { return "" }
    return "; quote it when it is one: `\"\(words.joined(separator: " "))\"`"
  }

  func predicate(_ name: String) -> Expression? {
    guard let value = stage.labels.first(where: { $0.label.text == name }),
      case .predicate(let expression) = value.content
    else { return nil }
    return expression
  }
}
