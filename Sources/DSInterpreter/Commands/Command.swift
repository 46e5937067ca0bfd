/// A verb: its arguments are its properties, and running it gives an ``CommandResult``.
///
/// One file each, and one line in ``CommandTable/standard``.
package protocol Command: SendableMetatype {
  /// The short name first, then the one that Cocoa has for it.
  static var names: [String] { get }
  /// `sectioned SOURCE [key: KEYPATH] …`.
  static var synopsis: String { get }
  /// One sentence for help.
  static var summary: String { get }
  static var labels: [Label] { get }
  /// The ``labels``, and those that all that make a source have; also what help does not list.
  static var allLabels: [Label] { get }
  /// Whether any name is a label: a key of a record.
  static var labelsAreKeys: Bool { get }
  /// Further lines of help, for verbs whose arguments are not labels.
  static var notes: [String] { get }
  /// Commands that run where `foods` is loaded from the bundled data and `letters` are its sections
  /// by first letter, fetched.
  static var examples: [String] { get }
  /// Other verbs, then help topics.
  static var seeAlso: [String] { get }
  static var form: CommandForm { get }
  static var resultKind: ResultKind { get }

  /// - Throws: ``Diagnostic`` with the place of what is wrong or missing.
  init(parsing arguments: inout Arguments) throws
  /// - Throws: ``Diagnostic``, or errors of the sources, which the loop gives a place.
  func run(in session: inout Session) async throws -> CommandResult
  /// Reads its arguments, all of them, and runs.
  // Asked of the type, so that no command is put in a box of its own.
  static func result(
    of arguments: inout Arguments, in session: inout Session
  ) async throws -> CommandResult
}

extension Command {
  package static func result(
    of arguments: inout Arguments, in session: inout Session
  ) async throws -> CommandResult {
    let command = try Self(parsing: &arguments)
    try arguments.finish(isInteractive: session.options.isInteractive)
    return try await command.run(in: &session)
  }

  package static var labels: [Label] { [] }
  package static var allLabels: [Label] { listedLabels }
  package static var notes: [String] { [] }
  package static var seeAlso: [String] { [] }
  package static var form: CommandForm { .arguments }
  package static var resultKind: ResultKind { .value }
  static var name: String { names.first ?? "" }
}

/// What the parser reads after a verb.
package enum CommandForm: Sendable {
  case arguments
  case expression
  /// `expect` and `require`, which only stand at the head of a line.
  case check
}

/// What `let` can count on before a command has run.
package enum ResultKind: Sendable {
  case value
  /// A source that was not there before: `let` binds it at once.
  case newSource
  /// The source it was given (`fetch`).
  case sameSource
}

/// A named argument of a command.
package struct Label: Sendable {
  /// What Tab offers after the label.
  package enum Completion: Sendable {
    case nothing
    case words([String])
    case keys
  }
  package let name: String
  /// For help: `key path; none gives one section`.
  package let takes: String
  /// For help and for the error that a value is missing.
  package let example: String
  package let completion: Completion

  package init(
    _ name: String, _ takes: String, example: String, completion: Completion = .nothing
  ) {
    self.name = name
    self.takes = takes
    self.example = example
    self.completion = completion
  }
}

/// What a command gives back, and what it has to say.
package struct CommandResult {
  package var operand: Operand
  package var output: Output
  /// What `source` read and the loop is to run.
  var script: ScriptText?
  /// What the source is bound to when the line has no `let`.
  var name: String?

  package init(_ operand: Operand = .none, _ output: Output = .none) {
    self.operand = operand
    self.output = output
  }
}
