package import DataSources

/// A verb as it is typed: its names, its arguments and its help.
package protocol CommandDeclaration: SendableMetatype {
  /// The short name first, then its synonyms, such as the name that Cocoa uses.
  static var names: [String] { get }
  /// The arguments by position, in order.
  static var parameters: [Parameter] { get }
  /// The parameter at a position, after the words that were typed before it; nil if no argument can
  /// be there.
  static func parameter(at position: Int, after words: [String]) -> Parameter?
  /// The labels that are specific to the command. `id:` is not among them, because every verb that
  /// creates a source accepts it.
  static var labels: [Label] { get }
  /// All labels that a command accepts.
  static var allLabels: [Label] { get }
  /// The labels that a command accepts for one source.
  static func labels(for source: any DataSource) -> [Label]
  /// Whether the labels are the keys of a record, so that any name is a label.
  static var labelsAreKeys: Bool { get }
  /// `sectioned SOURCE [key: KEYPATH] …`
  static var synopsis: String { get }
  /// One sentence for help.
  static var summary: String { get }
  /// Further lines of help.
  static var notes: [String] { get }
  /// Commands that run in a session in which `foods` is loaded from the bundled data, and `letters`
  /// is a fetched source that splits `foods` into sections by first letter.
  static var examples: [String] { get }
  /// Other verbs, then help topics.
  static var seeAlso: [String] { get }
  static var form: CommandForm { get }
  static var resultKind: ResultKind { get }
  /// Whether the command ends the script, so that no example can follow it.
  static var endsScript: Bool { get }
  /// Whether the command may wait for other programs for any time: the results before it must be
  /// visible then.
  static var waits: Bool { get }
  /// The names that the command binds without `let`, or unbinds.
  ///
  /// - Parameter words: the arguments by position, without a value from `|`: words and quoted strings;
  ///   nil for an argument that is known when the command runs.
  static func nameChanges(_ words: [String?]) -> NameChanges
}

/// The syntax after a verb.
package enum CommandForm: Sendable, Equatable {
  case arguments
  case expression
  /// `expect` and `require`, which must begin a line. If the check is required, a failure always
  /// ends the script.
  case check(isRequired: Bool)
  /// Lines in braces, which the command runs.
  case block(BlockHead)

  var isBlock: Bool { if case .block = self { true } else { false } }
  var isCheck: Bool { if case .check = self { true } else { false } }
}

/// The words before the `{` of a block.
package enum BlockHead: Sendable, Equatable {
  /// `edit SOURCE`
  case source
  /// `for NAME in EXPRESSION`
  case loop
  /// `if EXPRESSION`; `else` may follow the block.
  case condition
  /// `def NAME ARGUMENT… LABEL: DEFAULT…`
  case definition
}

/// The kind of result, which `let` must know before the command has run.
package enum ResultKind: Sendable {
  case value
  /// A source that the command creates: `let` binds it before the rest of the pipe runs.
  case newSource
  /// The source that was passed to the command, as for `fetch`.
  case sameSource
}

extension CommandDeclaration {
  package static var parameters: [Parameter] { [] }
  package static func parameter(at position: Int, after words: [String]) -> Parameter? {
    if position < parameters.count { return parameters[position] }
    return parameters.last.flatMap { [.repeated, .list].contains($0.count) ? $0 : nil }
  }
  package static var labels: [Label] { [] }
  package static var allLabels: [Label] { listedLabels }
  package static func labels(for source: any DataSource) -> [Label] { allLabels }
  package static var labelsAreKeys: Bool { false }
  package static var notes: [String] { [] }
  package static var seeAlso: [String] { [] }
  package static var form: CommandForm { .arguments }
  package static var resultKind: ResultKind { .value }
  package static var endsScript: Bool { false }
  package static var waits: Bool { false }
  package static func nameChanges(_ words: [String?]) -> NameChanges { .none }

  static var name: String { names.first ?? "" }

  /// The labels that help lists, with `id:` for a verb that creates a source.
  static var listedLabels: [Label] { resultKind == .newSource ? labels + [.id] : labels }

  /// The name, the parameters and the first labels.
  package static var synopsis: String {
    let shown = labels.prefix(labels.count > 4 ? 3 : 4).map(\.notation)
    let parts = [name] + parameters.map(\.notation) + shown
    return (parts + (labels.count > shown.count ? ["…"] : [])).joined(separator: " ")
  }
}
