import DataSources
import DataTables
import Databases

/// `tables DATABASE`
struct TablesCommand: Command {
  static let names = ["tables"]
  static let parameters = [Parameter.database]
  static let summary = "Shows the tables and views of a database, their rows and primary keys."
  static let examples = ["let shop = open company.sqlite; tables shop"]
  static let seeAlso = ["open", "describe", "query"]

  private let database: DatabaseArgument

  init(parsing arguments: inout Arguments) throws {
    database = try DatabaseArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let database = try await database.database(in: &session)
    let tables = try await database.summaries(cancellation: session.cancellation)
    let rows = tables.map { table -> [Value] in
      let count = table.rows.map { ($0.grouped, table.isEstimate ? "about " : "") }
      return [
        .string(table.name.description), .string(table.isView ? "view" : "table"),
        table.rows.map(Value.integer) ?? .null,
        .string(count.map { $1 + $0 } ?? ""), .bool(table.isEstimate),
        .string(table.primaryKey.joined(separator: ", ")),
      ]
    }
    let grid = Grid(
      columns: [
        Grid.Column("table"), Grid.Column("kind"),
        Grid.Column("rows", audience: .programs), Grid.Column("rows", audience: .people),
        Grid.Column("isEstimate", audience: .programs), Grid.Column("primary key"),
      ], rows: rows, placeholder: "the database has no tables")
    return CommandResult(.value(grid.records), Output(.grid(grid)))
  }
}
