/// A verb that can run: its parsed arguments are its stored properties.
///
/// Each command has an entry in ``CommandTable/standard``. Related commands share a file.
package protocol Command: CommandDeclaration {
  /// - Throws: ``Diagnostic`` at the argument that is wrong or missing.
  init(parsing arguments: inout Arguments) throws
  /// The notes of help, which may depend on the session.
  static func notes(in session: Session) -> [String]
  /// - Throws: ``Diagnostic``, or an error of a source, to which the session adds a location.
  func run(in session: inout Session) async throws -> CommandResult
  /// Parses all arguments and runs.
  // The requirement is static so that the command is not boxed in an existential.
  static func result(
    of arguments: inout Arguments, in session: inout Session
  ) async throws -> CommandResult
}

extension Command {
  package static func notes(in session: Session) -> [String] { notes }

  package static func result(
    of arguments: inout Arguments, in session: inout Session
  ) async throws -> CommandResult {
    let command = try Self(parsing: &arguments)
    try arguments.finish(isInteractive: session.options.isInteractive)
    return try await command.run(in: &session)
  }
}

/// The value that a command returns, and its output.
package struct CommandResult {
  package var operand: Operand
  package var output: Output
  /// The script that runs after the command.
  package var following: FollowingScript?
  /// The name that a line without `let` binds the source to.
  var name: String?

  package init(_ operand: Operand = .none, _ output: Output = .none) {
    self.operand = operand
    self.output = output
  }
}

/// Runs lines of a block once.
package typealias BlockBody = (
  _ lines: [Line], _ session: inout Session
) async throws -> ExecutionOutcome

/// A verb with lines, in a block or in its definition, which it runs as often as it needs.
package protocol BlockCommand: CommandDeclaration {
  /// - Throws: ``Diagnostic`` at the argument that is wrong or missing.
  init(parsing arguments: inout Arguments) throws
  /// - Returns: the result, and how the block ended; lines that failed have reported their mistakes.
  func run(
    in session: inout Session, body: BlockBody
  ) async throws -> (result: CommandResult, ending: ExecutionOutcome)
}
