import DataSources
import DataTables
import Databases

/// Writes the objects of a source as a table of a database, or of a file of SQLite.
struct TableSaving {
  let content: Snapshot
  /// The titles of the sections as a further column; nil to leave them out.
  let sections: SectionColumn?
  let isReplacing: Bool
  /// The argument at which errors are shown.
  let target: Argument

  /// Writes a table of an open database.
  ///
  /// - Parameters:
  ///   - path: the keys after the name of the database.
  ///   - name: the path as the user typed it.
  ///   - table: the value of `table:`, which only files accept.
  func save(
    as path: [String], of database: OpenDatabase, _ name: String, table: Argument?,
    in session: Session
  ) async throws {
    guard (1...2).contains(path.count), !path.contains("") else {
      throw target.error(
        .badArgument,
        "`\(name)` does not name a table of an open database, such as `shop.letters`")
    }
    if let table {
      throw table.error(
        .badArgument, "`table:` names a table of a file; `\(name)` names one already")
    }
    try await save(
      as: TableName(path[path.count - 1], schema: path.count > 1 ? path[0] : nil), of: database,
      shown: target.span.text, file: nil, in: session)
  }

  /// - Parameters:
  ///   - shown: the table as the user typed it.
  ///   - file: nil for a database that is open.
  private func save(
    as table: TableName, of database: OpenDatabase, shown: String, file: DatabaseFile?,
    in session: Session
  ) async throws {
    do throws(SourceError) {
      try await database.save(
        content, with: sections, as: table, isReplacing: isReplacing,
        cancellation: session.cancellation)
    } catch {
      var message = error.message
      switch error.kind {
      case .conflict: message = "\(shown) exists already; `overwrite: true` replaces it"
      case .denied: message += "; open it with `write: true`"
      case .database:
        if let file { message = "cannot write `\(file.shown)`: \(message)" }
      case .cancelled:
        if let file {
          throw Diagnostic(saving: file.shown, existing: !file.isNew, error, at: target.span)
        }
      default: break
      }
      var diagnostic = target.error(error.kind, message)
      if case .database(let fault) = error, !fault.leftovers.isEmpty {
        diagnostic.message += "; to drop what the server may still have:"
        diagnostic.details = fault.leftovers.map { table in
          let statement = Value.string("DROP TABLE IF EXISTS \(table)").json
          return "exec \(session.name(of: database)) \(statement)"
        }
      }
      throw diagnostic
    }
  }

  /// Writes a table of a file that is not open, and makes the file if it does not exist.
  func save(as table: String, to file: DatabaseFile, in session: Session) async throws {
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
        as: TableName(table), of: database, shown: "\(table) of \(file.shown)", file: file,
        in: session)
      await database.close()
    } catch {
      await database.close()
      if file.isNew { EngineFile.removeIfEmpty(file.path) }
      throw error
    }
  }
}

/// A file of SQLite, which may not exist yet.
struct DatabaseFile {
  let driver: DatabaseDriver
  /// As SQLite opens it.
  let path: String
  let shown: String
  let isNew: Bool

  /// nil if neither the content of the file nor, for a missing or empty one, its name or `isNamed`
  /// makes it a database.
  ///
  /// - Parameters:
  ///   - name: the path as the user typed it.
  ///   - isNamed: whether `format:` names the format of the driver; nil without the label.
  /// - Throws: ``Diagnostic``: `conflict` for a file with other content, `badArgument` for the name of a
  ///   compressed one.
  init?(_ name: String, isNamed: Bool?, at target: Argument, in session: inout Session) throws {
    guard let driver = session.drivers.driver(scheme: "sqlite"), !name.contains("://"),
      isNamed != false
    else { return nil }
    let path = session.resolve(name, at: target)
    let table = FormatTable.standard
    let codec = table.codec(ofFileNamed: name)
    let stem = codec.map { table.contentName(ofFileNamed: name, codec: $0, inner: nil) } ?? name
    let isNamed = isNamed ?? (table.format(ofFileNamed: stem)?.name == driver.name)
    if let codec, isNamed {
      let uncompressed = table.format(ofFileNamed: stem) == nil ? stem + ".sqlite" : stem
      throw target.error(
        .badArgument,
        "an SQLite database cannot be compressed with \(codec.name); write `\(uncompressed)` instead"
      )
    }
    do {
      let bytes = try EngineFile.firstBytes(16, of: path)
      let isDatabase = bytes.map { !$0.isEmpty && driver.recognizes($0) } ?? false
      guard isNamed || isDatabase else { return nil }
      if let bytes, !bytes.isEmpty, !isDatabase {
        throw target.error(
          .conflict, "`\(name)` exists and is not a database of SQLite; choose another file")
      }
      self.driver = driver
      self.path = try EngineFile.path(of: path, isWritable: true)
      shown = name
      isNew = bytes == nil
    } catch let error as TableError {
      throw target.error(error.kind, error.message)
    }
  }
}
