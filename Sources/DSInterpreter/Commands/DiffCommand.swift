import DataSources
import DataTables

/// `diff SOURCE`
struct DiffCommand: Command {
  static let names = ["diff"]
  static let parameters = [Parameter.source]
  static let summary =
    "Shows the changes between the last two contents, in the order of a table view."
  static let notes = [
    "Deletes and the origin of a move refer to the old content, all others to the new one.",
    "Objects are the same if their `id:` is equal or, without an `id:`, if they are equal.",
  ]
  static let examples = ["diff letters", "insert foods {name: Fig, kind: fruit}; diff letters"]
  static let seeAlso = ["watch", "fetch", "insert", "changes"]

  private let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    guard let old = source.state.previous, let new = source.state.snapshot else {
      return CommandResult(
        .value([]), message("fewer than two contents so far", of: source, in: session))
    }
    let changes = try await source.changes(cancellation: session.cancellation)
    guard !changes.isEmpty else {
      return CommandResult(.value([]), message("no changes", of: source, in: session))
    }
    let lines = try await ChangeLines(changes, from: old, to: new)
    let grid = Grid(columns: Self.columns, rows: lines.rows, hidesHeader: true)
    return CommandResult(.value(grid.records), Output(.grid(grid)))
  }

  private func message(
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
