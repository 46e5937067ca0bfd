public import DataSources
public import DataTables

/// The rows of a statement, as one section in the order of the engine.
///
/// It has content from the start; a fetch runs the statement again.
public final class QuerySource: DataSource {
  public static let kind = "query"
  public static let fetchesSynchronously = false
  public let state: SourceState
  public let database: Database
  public let statement: SQL

  private init(
    _ statement: SQL, of database: Database, content: Snapshot, name: String
  ) {
    self.statement = statement
    self.database = database
    state = SourceState(name: name, snapshot: content, cause: .query)
  }

  /// Runs a statement.
  /// - Throws: ``SourceError``: an error of the engine, `denied` for a statement that writes,
  ///   `cancelled`.
  public static func run(
    _ statement: SQL, of database: Database, title: String = "",
    cancellation: Cancellation = Cancellation()
  ) async throws -> QuerySource {
    let content = try await rows(
      of: statement, database, title: .string(title), cancellation: cancellation)
    return QuerySource(statement, of: database, content: content, name: title)
  }

  public var children: [any DataSource] { [] }

  /// `query SELECT 1 of company.sqlite`
  public var summary: String {
    "query \(database.text(of: statement)) of \(database.connection.address)"
  }

  public func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot {
    let (statement, database, title) = (statement, database, Value.string(name))
    return try await Self.rows(
      of: statement, database, title: title, cancellation: fetch.cancellation)
  }

  private static func rows(
    of statement: SQL, _ database: Database, title: Value, cancellation: Cancellation
  ) async throws -> Snapshot {
    do {
      let snapshot = try await database.snapshot(of: [], cancellation: cancellation)
      let result = try await snapshot.rows(statement, cancellation: cancellation)
      let shape = Record.Shape(result.columns.uniqueNames)
      let table = ValueTable(
        result.rows.map { .record(Record(shape: shape, values: $0)) })
      return Snapshot(LocalStore(table: table, title: title))
    } catch {
      throw await database.suggestingNames(for: error, cancellation: cancellation)
    }
  }
}

extension [DatabaseColumn] {
  /// The names of the columns; a repeated name gets a number: `id`, `id 2`.
  fileprivate var uniqueNames: [String] {
    var seen: Set<String> = []
    return map { column in
      var name = column.name
      var number = 2
      while !seen.insert(name).inserted {
        name = "\(column.name) \(number)"
        number += 1
      }
      return name
    }
  }
}
