import DataSources
import DataTables
import Databases

/// `save SOURCE DATABASE.TABLE [overwrite: true]`
struct SaveCommand: Command {
  private static let target = Parameter("DATABASE.TABLE", .string)
  private static let overwrite = Label(
    "overwrite", .boolean, "true to replace an existing table", example: "true")

  static let names = ["save"]
  static let parameters = [Parameter.source, target]
  static let labels = [overwrite]
  static let summary = "Writes the objects of a source as a table of a database."
  static let notes = [
    "The database must be open with `write: true`. The columns get the types of the values. Sections",
    "are not saved. If saving fails, the database is unchanged.",
  ]
  static let examples = ["save letters shop.letters", "save letters shop.letters overwrite: true"]
  static let seeAlso = ["open", "exec", "tables"]

  private let source: SourceArgument
  private let target: Argument
  private let overwrite: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    target = try arguments.require(Self.target)
    overwrite = try arguments[Self.overwrite]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let content = try session.content(of: source, at: self.source.span)
    let name = target.text ?? ""
    guard let (database, path) = try session.tablePath(name), (1...2).contains(path.count),
      !path.contains("")
    else {
      throw target.error(
        .badArgument,
        "`\(name)` does not name a table of an open database, such as `shop.letters`")
    }
    let table = TableName(path[path.count - 1], schema: path.count > 1 ? path[0] : nil)
    let isReplacing = try overwrite?.boolean() ?? false
    do throws(SourceError) {
      try await database.save(
        content, as: table, isReplacing: isReplacing, cancellation: session.cancellation)
    } catch {
      throw diagnostic(of: error, table, database, in: session)
    }
    try await session.showChanges(in: database)
    let count = content.numberOfObjects
    let report = Report(
      headline: "\(name): \(counted(count, "row")) saved",
      data: Record([("table", .string(name)), ("rows", .integer(count))]))
    return CommandResult(.source(source), Output(.report(report)))
  }

  private func diagnostic(
    of error: SourceError, _ table: TableName, _ database: OpenDatabase, in session: Session
  ) -> Diagnostic {
    var message = error.message
    switch error.kind {
    case .conflict: message = "\(target.span.text) exists already; `overwrite: true` replaces it"
    case .denied: message += "; open it with `write: true`"
    default: break
    }
    return target.error(error.kind, message)
  }
}
