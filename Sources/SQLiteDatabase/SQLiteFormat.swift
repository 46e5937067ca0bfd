import DataSources
public import DataTables
import Databases

/// A table of a file of SQLite, read as a whole into columns.
public struct SQLiteFormat: TableFormat {
  public let names = ["sqlite"]
  public let extensions = ["sqlite", "sqlite3", "db", "db3"]
  public let mediaTypes = ["application/vnd.sqlite3", "application/x-sqlite3"]
  public let options: [ReadOption] = [.table, .types, .strict]
  /// The log has the latest transactions of a file in WAL mode.
  public let companions = ["-wal"]

  public init() {}

  static let mark = Array("SQLite format 3\0".utf8)

  public func recognize(_ sample: FormatSample) -> Recognition {
    sample.bytes.starts(with: Self.mark) ? .certain : .impossible
  }

  /// - Throws: `SourceError`: an error of SQLite, an unknown table; ``TableError``: a table that
  ///   must be chosen, `limit` for a database in memory, `cancelled`.
  public func read(_ input: FormatInput) throws -> LoadedTable {
    do {
      let name = input.options[.table].map { $0.string ?? $0.json }
      let loaded = try open(input).loaded(table: name)
      return try loaded.requesting(
        input.request, of: loaded.table, cancellation: input.cancellation)
    } catch {
      try input.cancellation.check()
      throw error is DatabaseError ? SourceError(error) : error
    }
  }

  private func open(_ input: FormatInput) throws -> SQLiteTableReading {
    if let path = input.request.path {
      let path = try EngineFile.path(of: path, isWritable: false)
      return try SQLiteTableReading(cancellation: input.cancellation) {
        try SQLiteFile(path: path, cancellation: input.cancellation)
      }
    }
    try input.checkDocumentSize()
    let image = try SQLiteImage(input.bytes)
    return try SQLiteTableReading(cancellation: input.cancellation) {
      try SQLiteFile(image, cancellation: input.cancellation)
    }
  }
}
