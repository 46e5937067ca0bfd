import DataTables
import Databases
import GRDBSQLite
import Glibc
import SQLiteDatabase
import Testing

/// A file of SQLite in a folder of its own, which is removed after the test.
struct TestFile {
  let folder: String
  var path: String { folder + "/test.sqlite" }

  static func run(_ test: (TestFile) async throws -> Void) async throws {
    var template = Array("/tmp/sqlite-tests-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let file = TestFile(
      folder: String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self))
    defer { file.remove() }
    try await test(file)
  }

  private func remove() {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    rmdir(folder)
  }

  func connect(
    isWritable: Bool = false, timeout: Duration? = nil
  ) async throws -> any DatabaseConnection {
    var options = ConnectionOptions()
    options.isWritable = isWritable
    options.timeout = timeout
    return try await DatabaseDriver.sqlite.connect(
      DatabaseAddress(file: path), options, Cancellation())
  }

  /// Runs statements over a connection of another kind, as another program would.
  func execute(_ statements: String) throws { try OtherProgram(self).execute(statements) }

  /// Reads a table as `load` does.
  func load(table: String? = nil) throws -> LoadedTable {
    var options = ReadOptions()
    if let table { try ReadOption.table.apply(.string(table), to: &options) }
    var request = ReadRequest(options: options)
    request.path = path
    return try SQLiteFormat().read(
      FormatInput(name: path, bytes: MemoryBytes(bytes), request: request))
  }

  var bytes: [UInt8] {
    guard let stream = fopen(path, "r") else { return [] }
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&piece, 1, piece.count, stream), count > 0 {
      bytes += piece[..<count]
    }
    return bytes
  }

  func write(_ bytes: [UInt8]) throws {
    let stream = try #require(fopen(path, "w"))
    fwrite(bytes, 1, bytes.count, stream)
    fclose(stream)
  }
}

/// A connection of another program, which may keep a transaction open.
final class OtherProgram {
  private var connection: OpaquePointer?

  init(_ file: TestFile) throws {
    try #require(sqlite3_open(file.path, &connection) == SQLITE_OK)
    sqlite3_busy_timeout(connection, 5_000)
  }

  deinit { sqlite3_close(connection) }

  func execute(_ statements: String) throws {
    let code = sqlite3_exec(connection, statements, nil, nil, nil)
    try #require(
      code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(connection))): \(statements)")
  }
}
