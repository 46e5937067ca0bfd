public import DataSources
public import DataTables

/// A database that a session has opened, with the sources of its tables.
///
/// It is confined to the isolation of its sources.
public final class OpenDatabase {
  public let database: Database
  private var tables: [TableName: TableSource] = [:]
  /// The tables that were made for sources.
  private var copies: [TableName] = []

  /// The names that completion offers.
  public let names: KnownNames

  public init(_ database: Database) {
    self.database = database
    names = KnownNames(database)
  }

  /// The source of a table; the same one for every call.
  /// - Throws: ``SourceError``, for an unknown table with the names that exist.
  public func source(
    of name: TableName, cancellation: Cancellation
  ) async throws(SourceError) -> TableSource {
    if let source = tables[name] { return source }
    do {
      let source = try await TableSource.open(name, of: database, cancellation: cancellation)
      tables[name] = source
      names.keep(source.table.schema.columns.map(\.name), of: name)
      return source
    } catch {
      throw await database.suggestingNames(for: error, cancellation: cancellation)
    }
  }

  /// The tables and views, ordered by schema and name.
  /// - Throws: ``SourceError``.
  public func summaries(cancellation: Cancellation) async throws(SourceError) -> [TableSummary] {
    do {
      let summaries = try await database.connection.tables(cancellation: cancellation)
      names.keep(summaries.map(\.name))
      return summaries
    } catch {
      throw SourceError(error)
    }
  }

  /// The names of the tables and views, ordered by schema and name, without counting rows.
  /// - Throws: ``SourceError``.
  public func tableNames(cancellation: Cancellation) async throws(SourceError) -> [TableName] {
    do {
      let tables = try await database.connection.tableNames(cancellation: cancellation)
      names.keep(tables)
      return tables
    } catch {
      throw SourceError(error)
    }
  }

  /// Runs a statement that may write; returns the number of changed rows; nil if the
  /// engine does not report it.
  /// - Throws: ``SourceError``: `denied` for a database that was opened for reading.
  public func execute(
    _ statement: SQL, cancellation: Cancellation
  ) async throws(SourceError) -> Int? {
    defer { names.expire() }
    do {
      return try await database.execute(statement, cancellation: cancellation)
    } catch {
      throw await database.suggestingNames(for: error, cancellation: cancellation)
    }
  }

  /// Makes a table with the objects of a source.
  ///
  /// - Throws: ``SourceError``: `denied`, `conflict` for a table that exists unless it is replaced.
  public func save(
    _ content: Snapshot, as name: TableName, isReplacing: Bool, cancellation: Cancellation
  ) async throws(SourceError) {
    try await save(
      content, with: nil, as: name, isReplacing: isReplacing, cancellation: cancellation)
  }

  /// - Parameter sections: the titles of the sections as a further column.
  package func save(
    _ content: Snapshot, with sections: SectionColumn?, as name: TableName, isReplacing: Bool,
    cancellation: Cancellation
  ) async throws(SourceError) {
    defer { names.expire() }
    do {
      let columns = try await content.databaseColumns(sections, cancellation: cancellation)
      let rows = RowBatches(content, keys: columns.map(\.name), sections: sections)
      try await database.connection.create(
        name, columns: columns, isReplacing: isReplacing, cancellation: cancellation
      ) { try await rows.next() }
      tables[name] = nil
    } catch {
      throw SourceError(error)
    }
  }

  /// A new table with the objects of a source, as a source with the same name.
  ///
  /// - Throws: ``SourceError``. A source that a table would change is returned itself.
  package func table(
    of source: any DataSource, cancellation: Cancellation
  ) async throws(SourceError) -> any DataSource {
    let content = try source.content
    guard try await content.isTable(cancellation: cancellation) else { return source }
    // Several processes may use a server at the same time.
    let name = TableName("rows \(copies.count + 1) \(UInt32.random(in: 0...UInt32.max))")
    copies.append(name)
    try await save(content, as: name, isReplacing: true, cancellation: cancellation)
    do {
      let table = try await TableSource.open(
        name, of: database, title: source.name, cancellation: cancellation)
      table.id = source.id
      return table
    } catch {
      throw SourceError(error)
    }
  }

  /// Drops the tables that were made for sources, and closes the connection.
  package func removeCopies() async {
    for name in copies {
      let table = SQL("DROP TABLE \(database.connection.dialect.name(name.name))" as String)
      _ = try? await database.connection.execute(table, cancellation: Cancellation())
    }
    await close()
  }

  public func close() async {
    names.close()
    await database.connection.close()
  }
}
