import DataSources
import DataTables
import Databases
import GRDBSQLite
import Glibc

/// A database that is only read, by one thread at a time: a file, or bytes in memory.
///
/// Unchecked `Sendable` is safe: a worker uses a connection of its own, and others only after the
/// work is joined.
final class SQLiteFile: @unchecked Sendable {
  let connection: OpaquePointer
  /// The path of the file; `:memory:` for an image.
  private let name: String
  /// Bytes that the connection reads; nil for a file.
  private let image: SQLiteImage?
  private let cancellation: Cancellation

  /// Another program's lock is waited for 5 seconds.
  private static let maxAttempts: Int32 = 500
  private static let microsecondsPerAttempt: UInt32 = 10_000
  /// The number of steps of SQLite's machine between two checks for a cancellation.
  private static let stepsPerCheck: Int32 = 10_000

  /// - Parameter path: see `EngineFile.path`.
  /// - Throws: ``DatabaseError``.
  convenience init(path: String, cancellation: Cancellation) throws(DatabaseError) {
    try self.init(name: path, nil, cancellation)
  }

  /// - Throws: ``DatabaseError``.
  convenience init(
    _ image: SQLiteImage, cancellation: Cancellation
  ) throws(DatabaseError) {
    try self.init(name: ":memory:", image, cancellation)
    let code = sqlite3_deserialize(
      connection, "main", image.bytes, sqlite3_int64(image.count), sqlite3_int64(image.count),
      UInt32(SQLITE_DESERIALIZE_READONLY))
    guard code == SQLITE_OK else {
      throw SQLiteFailure.error(of: connection, code, statement: nil)
    }
  }

  private init(
    name: String, _ image: SQLiteImage?, _ cancellation: Cancellation
  ) throws(DatabaseError) {
    self.name = name
    self.image = image
    self.cancellation = cancellation
    var opened: OpaquePointer?
    // Without locks around each call: a connection has one thread at a time.
    let code = sqlite3_open_v2(name, &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil)
    guard let opened else { throw DatabaseError(.engine, "not enough memory") }
    connection = opened
    guard code == SQLITE_OK else {
      throw SQLiteFailure.error(of: opened, code, statement: nil)
    }
    let flag = Unmanaged.passUnretained(cancellation).toOpaque()
    sqlite3_busy_handler(
      opened,
      { context, attempts in
        guard let context, attempts < SQLiteFile.maxAttempts else { return 0 }
        let cancellation = Unmanaged<Cancellation>.fromOpaque(context)
        if cancellation.takeUnretainedValue().isCancelled { return 0 }
        usleep(SQLiteFile.microsecondsPerAttempt)
        return 1
      }, flag)
    sqlite3_progress_handler(
      opened, Self.stepsPerCheck,
      { context in
        guard let context else { return 0 }
        let cancellation = Unmanaged<Cancellation>.fromOpaque(context)
        return cancellation.takeUnretainedValue().isCancelled ? 1 : 0
      }, flag)
  }

  deinit { sqlite3_close_v2(connection) }

  /// Begins a transaction and its first read.
  /// - Throws: ``DatabaseError``, also for a file that was cut off.
  func begin() throws {
    try SQLiteStatement("BEGIN", connection).run(with: [])
    try SQLiteStatement("SELECT count(*) FROM sqlite_schema", connection).run(with: [])
    if let image {
      try SQLiteSize.check(image.count, of: connection)
    } else {
      try SQLiteSize.check(fileAt: name, of: connection)
    }
  }

  func end() throws { try SQLiteStatement("COMMIT", connection).run(with: []) }

  /// A number that differs after a change by another connection.
  func version() throws -> Value { try first("PRAGMA data_version") }

  /// The first value of a statement; null if it has no rows.
  func first(_ statement: SQL) throws -> Value {
    let statement = try SQLiteStatement(statement, connection)
    return try statement.next() ? statement.row().first ?? .null : .null
  }
}

/// A database in memory, which several connections read.
///
/// Unchecked `Sendable` is safe: nothing is written after the initializer.
final class SQLiteImage: @unchecked Sendable {
  let bytes: UnsafeMutablePointer<UInt8>
  let count: Int

  /// The places in the header of the versions with which the file is written and read.
  private static let versions = 18..<20
  /// The version of files without a write-ahead log, which is not among the bytes.
  private static let withoutLog: UInt8 = 1

  /// - Throws: the errors of the store.
  init(_ store: any ByteStore) throws {
    count = store.count
    bytes = .allocate(capacity: max(1, count))
    let filled = try store.read(
      at: 0, into: UnsafeMutableRawBufferPointer(start: bytes, count: count))
    guard filled == count, count >= Self.versions.upperBound else { return }
    for place in Self.versions { bytes[place] = Self.withoutLog }
  }

  deinit { bytes.deallocate() }
}
