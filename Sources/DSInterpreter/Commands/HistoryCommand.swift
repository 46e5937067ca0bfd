import DataTables

/// `history [COUNT]`
struct HistoryCommand: Command {
  private static let count = Parameter("COUNT", .nonNegativeInteger, .optional)

  static let names = ["history"]
  static let parameters = [count]
  static let summary = "Shows the commands that were typed, the most recent one last."
  static let examples = ["history", "history 10"]
  static let seeAlso = ["source"]

  private let count: Int?

  init(parsing arguments: inout Arguments) throws {
    count = try arguments.take(Self.count)?.integer()
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let rows: [[Value]] = session.history.enumerated().suffix(count ?? session.history.count)
      .map { [.integer($0 + 1), .string($1)] }
    let grid = Grid(
      columns: [Grid.Column("number"), Grid.Column("command")], rows: rows, hidesHeader: true,
      placeholder: "")
    return CommandResult(.none, Output(.grid(grid)))
  }
}
