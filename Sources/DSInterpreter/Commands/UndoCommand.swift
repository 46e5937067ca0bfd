import DataSources

/// `undo SOURCE`
struct UndoCommand: Command {
  static let names = ["undo"]
  static let parameters = [Parameter.source]
  static let summary = "Reverts the last edit or transaction of the data of a source."
  static let notes = [
    "Every edit since the data was loaded or read again can be undone, the last one first."
  ]
  static let examples = ["remove foods [0, 6]; undo foods"]
  static let seeAlso = ["redo", "edit", "diff", "save"]
  static let resultKind = ResultKind.sameSource

  private let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    try session.checkNoTransaction(at: self.source.span)
    do throws(SourceError) {
      let group = try await source.undoEdit(
        cancellation: session.cancellation, listener: session.eventListener)
      return await session.result(of: group, in: source, "undone")
    } catch {
      throw session.diagnostic(ofEditing: source, error, at: self.source.span)
    }
  }
}

/// `redo SOURCE`
struct RedoCommand: Command {
  static let names = ["redo"]
  static let parameters = [Parameter.source]
  static let summary = "Repeats the edit or transaction that `undo` reverted last."
  static let notes = ["After another edit, nothing can be repeated."]
  static let examples = ["remove foods [0, 6]; undo foods; redo foods"]
  static let seeAlso = ["undo", "edit", "diff"]
  static let resultKind = ResultKind.sameSource

  private let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    try session.checkNoTransaction(at: self.source.span)
    do throws(SourceError) {
      let group = try await source.redoEdit(
        cancellation: session.cancellation, listener: session.eventListener)
      return await session.result(of: group, in: source, "redone")
    } catch {
      throw session.diagnostic(ofEditing: source, error, at: self.source.span)
    }
  }
}

extension Session {
  fileprivate func diagnostic(
    ofEditing source: any DataSource, _ error: SourceError, at span: Span
  ) -> Diagnostic {
    diagnostic(ofEarlierContent: error, below: source, at: span)
      ?? Diagnostic(error.kind, "\(displayName(of: source)): \(error.message)", at: span)
  }
}
