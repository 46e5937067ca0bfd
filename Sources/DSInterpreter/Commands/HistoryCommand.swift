import DataTables

/// `history [COUNT]`
struct HistoryCommand: Command {
  static let names = ["history"]
  static let synopsis = "history [COUNT]"
  static let summary = "Shows what was typed, the last of it last."
  static let examples = ["history", "history 10"]
  static let seeAlso = ["source"]

  let count: Int?

  init(parsing arguments: inout Arguments) throws { count = try arguments.take()?.natural() }

  func run(in session: inout Session) async throws -> CommandResult {
    let rows: [[Value]] = session.history.enumerated().suffix(count ?? session.history.count)
      .map { [.integer($0 + 1), .string($1)] }
    let grid = Grid(
      columns: [Grid.Column("number"), Grid.Column("command")], rows: rows, hidesHeader: true,
      placeholder: "")
    return CommandResult(.none, Output(.grid(grid)))
  }
}
