public import DataSources
public import DataTables

/// The rows of a table of a database, as one section in the order of the rows' identity.
///
/// It has content from the start: the number of rows, and pages that are read when they are accessed.
/// A fetch reads a new state of the database if it has changed. The ``DataSource/id`` is the primary
/// key if it has one column.
public final class TableSource: DataSource {
  public static let kind = "table"
  public static let fetchesSynchronously = false
  public let state: SourceState
  public let database: Database
  /// The table that was fetched last.
  public private(set) var table: DatabaseTable
  /// A later state that was compared with the content.
  var compared: DatabaseTable?

  private init(_ table: DatabaseTable, content: TableStore, name: String) {
    self.table = table
    database = table.database
    state = SourceState(name: name, snapshot: Snapshot(content), cause: .open)
    if table.schema.primaryKey.count == 1, let key = table.schema.primaryKey.first {
      state.id = ObjectKeyPath(key: key)
    }
  }

  /// - Throws: ``SourceError``: an unknown table, an error of the engine, `cancelled`.
  public static func open(
    _ name: TableName, of database: Database, title: String = "",
    cancellation: Cancellation = Cancellation()
  ) async throws -> TableSource {
    do {
      let table = try await DatabaseTable.current(
        name, of: database, cancellation: cancellation)
      let content = try await TableStore.whole(
        table, title: .string(title), cancellation: cancellation)
      return TableSource(table, content: content, name: title)
    } catch {
      throw SourceError(error)
    }
  }

  public var children: [any DataSource] { [] }

  /// `table people of company.sqlite`
  public var summary: String { "table \(table.schema.name) of \(database.connection.address)" }

  public func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot {
    let (old, title, cancellation) = (table, Value.string(name), fetch.cancellation)
    do {
      if try await old.snapshot.isCurrent(cancellation: cancellation),
        let content = state.latestSnapshot
      {
        return content
      }
      let table = try await present(cancellation)
      let content = try await TableStore.whole(table, title: title, cancellation: cancellation)
      // A later change may be one of another table.
      if old.knownDigest != nil, fetch.options.isRefresh {
        _ = try await table.digest(cancellation)
      }
      try cancellation.check()
      self.table = table
      return Snapshot(content)
    } catch {
      throw SourceError(error)
    }
  }

  /// The present state of the table.
  func present(_ cancellation: Cancellation) async throws -> DatabaseTable {
    defer { compared = nil }
    if let compared, try await compared.snapshot.isCurrent(cancellation: cancellation) {
      return compared
    }
    return try await DatabaseTable.current(
      table.schema.name, of: database, cancellation: cancellation)
  }

  /// Rows have the order of their identity.
  public func explanation(
    of path: IndexPath, in snapshot: Snapshot
  ) async throws -> [ExplanationLine] {
    let identity = table.schema.rowIdentity.map(\.shown).joined(separator: ", ")
    let order =
      identity.isEmpty
      ? "the order of all columns, because the table has no key" : "the order of \(identity)"
    return [ExplanationLine("row \(path.row)", order)]
  }
}

extension DatabaseTable {
  /// The present state of a table.
  static func current(
    _ name: TableName, of database: Database, cancellation: Cancellation
  ) async throws -> DatabaseTable {
    let schema = try await database.connection.schema(of: name, cancellation: cancellation)
    let snapshot = try await database.snapshot(of: [name], cancellation: cancellation)
    return DatabaseTable(database, schema, snapshot)
  }
}
