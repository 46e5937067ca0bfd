import DataSources
import DataTables
import Databases
import SQLiteDatabase
import TestSupport
import Testing

/// The locks of open connections, which closing any other descriptor of the file would drop.
@Suite struct LocksTests {
  /// Another program that opens and closes a database in WAL mode removes the log if no connection
  /// has a lock; later writes would go to a log without a name.
  @Test func otherProgramsSeeTheConnectionsOfThisOne() async throws {
    try await TestFile.run { file in
      try file.execute(
        "PRAGMA journal_mode = wal; CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)"
      )
      let connection = try await file.connect(isWritable: true)
      let database = Database(connection, driver: .sqlite)
      for number in 2...4 {
        // A fetch reads the state of the file, and `load` and `open` read its first bytes.
        let source = try await TableSource.open(TableName("t"), of: database)
        let caches = FetchCaches()
        let results = FetchedResultsSource(
          source,
          request: try FetchRequest(
            sort: [SortDescriptor(ObjectKeyPath(key: "id"))], cacheName: "t"))
        try await results.fetchData(FetchOptions(caches: caches))
        _ = try EngineFile.firstBytes(16, of: file.path)
        let child = try ChildProgram.run("SELECT count(*) FROM t", file.path)
        #expect(child == "\(number - 1)\n")
        try await connection.execute(
          "INSERT INTO t VALUES (\(SQL(String(number))))", cancellation: Cancellation())
      }
      await connection.close()
      #expect(try ChildProgram.run("SELECT count(*) FROM t", file.path) == "4\n")
    }
  }
}
