import DataSources
import DataTables
import Databases

/// `list`
struct ListCommand: Command {
  static let names = ["list"]
  static let summary = "Shows the bound names and what they refer to."
  static let examples = ["list"]
  static let seeAlso = ["tree", "rename", "drop"]

  init(parsing arguments: inout Arguments) throws {}

  func run(in session: inout Session) async throws -> CommandResult {
    for case .source(let source) in session.bindings.map(\.value) {
      try await session.showTransaction(in: source)
    }
    let rows = session.bindings.map { Self.row($0, in: session) }
    let grid = Grid(
      columns: Self.columns, rows: rows, placeholder: "nothing is bound yet (load FILE)")
    return CommandResult(.none, Output(.grid(grid)))
  }

  private static let columns = [
    Grid.Column("name"), Grid.Column("kind", audience: .programs),
    Grid.Column("summary", audience: .people), Grid.Column("content", audience: .people),
    Grid.Column("sections", audience: .programs), Grid.Column("objects", audience: .programs),
  ]

  private static func row(_ binding: Session.Binding, in session: Session) -> [Value] {
    let name = Value.string(binding.name)
    switch binding.value {
    case .source(let source):
      return [
        name, .string(type(of: source).kind), .string(source.summary),
        .string(session.sizes(of: source)),
        .integer(source.numberOfSections), .integer(source.numberOfObjects),
      ]
    case .database(let database):
      return [
        name, "database", .string(database.database.connection.address.description),
        .string(database.database.driver.title), .null, .null,
      ]
    case .value(let value):
      return [name, "value", .string(value.type.phrase), .string(value.excerpt), .null, .null]
    case .objects(let listing):
      let excerpt = listing.excerpt(limit: nil)
      let count = (0..<excerpt.numberOfParts).reduce(0) { $0 + excerpt.part($1).rows.count }
      return [
        name, "objects", "objects", .string(counted(count, "object")), .null, .integer(count),
      ]
    case .none: return [name, "null", "null", "", .null, .null]
    }
  }
}
