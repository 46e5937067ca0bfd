/// `commit`
struct CommitCommand: Command {
  static let names = ["commit"]
  static let summary =
    "Ends the transaction that `begin` opened, and shows its edits as one change."
  static let examples = ["begin foods; remove foods [0, 0]; commit"]
  static let seeAlso = ["begin", "rollback", "edit", "undo"]
  static let resultKind = ResultKind.sameSource

  private let span: Span

  init(parsing arguments: inout Arguments) throws { span = arguments.stage.verb.span }

  func run(in session: inout Session) async throws -> CommandResult {
    try session.checkNoBlock(at: span)
    return try await session.commitTransaction(at: span)
  }
}

/// `rollback`
struct RollbackCommand: Command {
  static let names = ["rollback"]
  static let summary = "Ends the transaction that `begin` opened, and reverts its edits."
  static let examples = ["begin foods; remove foods [0, 0]; rollback"]
  static let seeAlso = ["begin", "commit", "edit", "undo"]
  static let resultKind = ResultKind.sameSource

  private let span: Span

  init(parsing arguments: inout Arguments) throws { span = arguments.stage.verb.span }

  func run(in session: inout Session) async throws -> CommandResult {
    try session.checkNoBlock(at: span)
    return try session.rollbackTransaction(at: span)
  }
}

extension Session {
  /// - Throws: ``Diagnostic``, `conflict` in the block of `edit`, whose end ends the transaction.
  fileprivate func checkNoBlock(at span: Span) throws {
    guard transaction?.isBlock == true else { return }
    throw Diagnostic(.conflict, "the end of the block ends its transaction", at: span)
  }
}
