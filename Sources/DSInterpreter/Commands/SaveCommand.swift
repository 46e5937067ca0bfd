import DataSources
import DataTables
import Databases

/// `save SOURCE DATABASE.TABLE|FILE [table: NAME] [overwrite: true]`
struct SaveCommand: Command {
  private static let target = Parameter("DATABASE.TABLE|FILE", .string)
  private static let table = Label(
    "table", .string, "name of the table in a file; the default is the name of the source",
    example: "letters")
  private static let overwrite = Label(
    "overwrite", .boolean, "true to replace an existing table", example: "true")

  static let names = ["save"]
  static let parameters = [Parameter.source, target]
  static let labels = [table, overwrite]
  static let summary = "Writes the objects of a source as a table of a database."
  static let notes = [
    "The database must be open with `write: true`; a file such as `letters.sqlite` need not be open,",
    "and is made if it does not exist. The columns get the types of the values. Sections are not",
    "saved. `overwrite: true` replaces one table and leaves the others. If saving fails, the database",
    "is unchanged.",
  ]
  static let examples = [
    "save letters shop.letters", "save letters shop.letters overwrite: true",
    "save letters archive.sqlite table: \"letters 2024\" overwrite: true",
  ]
  static let seeAlso = ["open", "load", "exec", "tables"]

  private let source: SourceArgument
  private let target: Argument
  private let table: Argument?
  private let overwrite: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    target = try arguments.require(Self.target)
    table = try arguments[Self.table]
    overwrite = try arguments[Self.overwrite]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let content = try session.content(of: source, at: self.source.span)
    let name = try await target.string(in: &session)
    let isReplacing = try overwrite?.boolean() ?? false
    let report: Report
    if let (database, path) = try session.tablePath(name) {
      guard (1...2).contains(path.count), !path.contains("") else { throw unknownTarget(name) }
      if let table {
        throw table.error(
          .badArgument, "`table:` names a table of a file; `\(name)` names one already")
      }
      let table = TableName(path[path.count - 1], schema: path.count > 1 ? path[0] : nil)
      try await save(
        content, as: table, of: database, shown: target.span.text, isReplacing, in: session)
      try await session.showChanges(in: database)
      report = Self.report(name, content, [("table", .string(name))])
    } else {
      let file = try self.file(name, in: &session)
      let table = try await tableName(for: source, in: &session)
      try await save(content, as: table, to: file, isReplacing, in: session)
      report = Self.report(
        "\(table) of \(name)", content, [("file", .string(name)), ("table", .string(table))])
    }
    return CommandResult(.source(source), Output(.report(report)))
  }

  private static func report(
    _ name: String, _ content: Snapshot, _ data: [(String, Value)]
  ) -> Report {
    let count = content.numberOfObjects
    return Report(
      headline: "\(name): \(counted(count, "row")) saved",
      data: Record(data + [("rows", .integer(count))]))
  }

  private func unknownTarget(_ name: String) -> Diagnostic {
    target.error(
      .badArgument,
      "`\(name)` names neither a table of an open database, such as `shop.letters`, nor a file of "
        + "SQLite, such as `letters.sqlite`")
  }

  private func save(
    _ content: Snapshot, as table: TableName, of database: OpenDatabase, shown: String,
    _ isReplacing: Bool, in session: Session
  ) async throws {
    do throws(SourceError) {
      try await database.save(
        content, as: table, isReplacing: isReplacing, cancellation: session.cancellation)
    } catch {
      var message = error.message
      switch error.kind {
      case .conflict: message = "\(shown) exists already; `overwrite: true` replaces it"
      case .denied: message += "; open it with `write: true`"
      default: break
      }
      throw target.error(error.kind, message)
    }
  }

  // MARK: Files

  /// A file of SQLite, which may not exist yet.
  private struct File {
    let driver: DatabaseDriver
    /// As SQLite opens it.
    let path: String
    let shown: String
    let isNew: Bool
  }

  private func file(_ name: String, in session: inout Session) throws -> File {
    guard let driver = session.drivers.driver(scheme: "sqlite"), !name.contains("://") else {
      throw unknownTarget(name)
    }
    let path = session.resolve(name, at: target)
    let bytes: [UInt8]?
    do {
      bytes = try EngineFile.firstBytes(16, of: path)
    } catch {
      throw target.error(error.kind, error.message)
    }
    let isNamed = FormatTable.standard.format(ofFileNamed: name)?.name == driver.name
    guard let bytes else {
      guard isNamed else { throw unknownTarget(name) }
      return try file(at: path, name, driver, isNew: true)
    }
    guard bytes.isEmpty ? isNamed : driver.recognizes(bytes) else {
      throw target.error(
        .conflict, "`\(name)` exists and is not a database of SQLite; choose another file")
    }
    return try file(at: path, name, driver, isNew: false)
  }

  private func file(
    at path: String, _ name: String, _ driver: DatabaseDriver, isNew: Bool
  ) throws -> File {
    do {
      return File(
        driver: driver, path: try EngineFile.path(of: path, isWritable: true), shown: name,
        isNew: isNew)
    } catch {
      throw target.error(error.kind, error.message)
    }
  }

  /// The value of `table:`, or the name of the source.
  private func tableName(
    for source: any DataSource, in session: inout Session
  ) async throws -> String {
    if let table {
      let name = try await table.string(in: &session)
      guard !name.isEmpty else { throw table.error(.badArgument, "a table needs a name") }
      return name
    }
    if let name = session.boundName(of: source) { return name }
    if let table = source as? TableSource { return table.table.schema.name.name }
    guard source.name.isEmpty else { return source.name }
    throw target.error(.badArgument, "the source has no name; add `table: NAME`")
  }

  private func save(
    _ content: Snapshot, as table: String, to file: File, _ isReplacing: Bool, in session: Session
  ) async throws {
    var options = ConnectionOptions()
    options.isWritable = true
    let database: OpenDatabase
    do {
      database = OpenDatabase(
        try await Database.open(
          DatabaseAddress(file: file.path, shown: file.shown), options, with: file.driver,
          cancellation: session.cancellation))
    } catch {
      let error = SourceError(error)
      throw target.error(error.kind, "\(file.shown): \(error.message)")
    }
    do {
      try await save(
        content, as: TableName(table), of: database, shown: "\(table) of \(file.shown)",
        isReplacing, in: session)
      await database.close()
    } catch {
      await database.close()
      if file.isNew { EngineFile.removeIfEmpty(file.path) }
      throw error
    }
  }
}
