public import DataSources
public import DataTables

/// A database that a session has opened, with the sources of its tables.
///
/// It is confined to the isolation of its sources.
public final class OpenDatabase {
  public let database: Database
  private var tables: [TableName: TableSource] = [:]

  public init(_ database: Database) { self.database = database }

  /// The source of a table; the same one for every call.
  /// - Throws: ``SourceError``, for an unknown table with the names that exist.
  public func source(
    of name: TableName, cancellation: Cancellation
  ) async throws(SourceError) -> TableSource {
    if let source = tables[name] { return source }
    do {
      let source = try await TableSource.open(name, of: database, cancellation: cancellation)
      tables[name] = source
      return source
    } catch {
      guard case .database(let fault) = SourceError(error), case .unknownName = fault.kind else {
        throw SourceError(error)
      }
      let known = (try? await database.connection.tables(cancellation: cancellation)) ?? []
      throw .database(
        DatabaseFault(
          .unknownName(name.description, known: known.map(\.name.description)), fault.message,
          code: fault.code))
    }
  }

  /// The tables and views, ordered by schema and name.
  /// - Throws: ``SourceError``.
  public func summaries(cancellation: Cancellation) async throws(SourceError) -> [TableSummary] {
    do {
      return try await database.connection.tables(cancellation: cancellation)
    } catch {
      throw SourceError(database: error)
    }
  }

  /// Runs a statement that may write; returns the number of changed rows; nil if the
  /// engine does not report it.
  /// - Throws: ``SourceError``: `denied` for a database that was opened for reading.
  public func execute(
    _ statement: SQL, cancellation: Cancellation
  ) async throws(SourceError) -> Int? {
    do {
      return try await database.connection.execute(statement, cancellation: cancellation)
    } catch {
      throw SourceError(database: error)
    }
  }

  public func close() async { await database.connection.close() }
}
