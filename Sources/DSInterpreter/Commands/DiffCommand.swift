import DataSources
import DataTables

/// `diff SOURCE`
struct DiffCommand: Command {
  static let names = ["diff"]
  static let synopsis = "diff SOURCE"
  static let summary =
    "Shows the changes between the last two contents, as a table view takes them."
  static let notes = [
    "Deletes and the first place of a move are places of the old content, the others of the new.",
    "Objects are the same when their `id:` is equal, without one when they are equal.",
  ]
  static let examples = ["diff letters", "insert foods {name: Fig, kind: fruit}; diff letters"]
  static let seeAlso = ["watch", "fetch", "insert", "changes"]

  let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    guard let old = source.state.previous, let new = source.state.snapshot else {
      return CommandResult(
        .value([]), nothing("there are no two contents yet", of: source, in: session))
    }
    let changes = try await source.changes(cancellation: session.cancellation)
    guard !changes.isEmpty else {
      return CommandResult(.value([]), nothing("no changes", of: source, in: session))
    }
    let lines = try await ChangeLines(changes, from: old, to: new)
    let grid = Grid(columns: Self.columns, rows: lines.rows, hidesHeader: true)
    return CommandResult(.value(grid.records), Output(.grid(grid)))
  }

  private func nothing(
    _ text: String, of source: any DataSource, in session: Session
  ) -> Output {
    Output(.text(["\(session.displayName(of: source)): \(text)"], data: []))
  }

  private static let columns = [
    Grid.Column("change", audience: .people), Grid.Column("object", audience: .people),
    Grid.Column("change", audience: .programs), Grid.Column("from", audience: .programs),
    Grid.Column("to", audience: .programs),
  ]
}
