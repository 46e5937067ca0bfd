import DataSources
import DataTables
import DatabaseTestSupport
import Databases
import SQLiteDatabase
import TestSupport
import Testing

/// Tables that are read as a whole, compared with the rows of a SELECT.
@Suite struct SQLiteFormatTests {
  @Test func aLoadedTableHasTheRowsOfTheTable() async throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SplitMix64(seed: seed)
    for rows in [0, 1, 300, 70_000] {
      try await TestFile.run { file in
        try await Self.fill(file, rows: rows, &random)
        let loaded = try file.load().table
        let expected = try await Self.objects(file)
        #expect(loaded.count == rows)
        #expect(
          loaded.keys == ["id", "few", "many", "text", "mixed", "flag", "day", "price", "none"])
        let found = try loaded.objects(at: Array(0..<rows))
        #expect(found.map(\.json) == expected.map(\.json), "seed \(seed), \(rows) rows")
        #expect(found == expected, "seed \(seed), \(rows) rows")
        let reference = ValueTable(expected)
        for key in loaded.keys where rows > 0 {
          let path = ObjectKeyPath(key: key)
          let column = try loaded.column(path, cancellation: Cancellation())
          let other = try reference.column(path, cancellation: Cancellation())
          #expect(column.count == other.count)
          #expect(
            try loaded.report(on: key, cancellation: Cancellation()).type
              == reference.report(on: key, cancellation: Cancellation()).type, "\(key)")
        }
      }
    }
  }

  /// Row numbers have gaps, so that ranges of them have different numbers of rows.
  private static func fill(_ file: TestFile, rows: Int, _ random: inout SplitMix64) async throws {
    let words = ["", "a", "é", "e\u{301}", "a longer text than sixteen bytes", "nul\u{0}", "日本"]
    let mixed: [Value] = [
      1, nil, "1", .real(Real(1.5)), .data([0, 255]), .data([]), .integer(.max),
    ]
    var values: [[Value]] = []
    for row in 0..<rows {
      func maybe(_ value: @autoclosure () -> Value) -> Value {
        random.below(9) == 0 ? nil : value()
      }
      values.append([
        .integer(row < 100 ? row : row * 1_000), maybe(.integer(random.below(5) - 2)),
        maybe(.real(Real(Double(random.below(1 << 40)) / 7))),
        maybe(.string(rows > 1_000 ? "text \(random.below(1 << 40))" : random.one(of: words))),
        random.one(of: mixed), maybe(.integer(random.below(3))),
        maybe(.string(["2020-01-01", "2021-12-31", "soon"][random.below(3)])),
        maybe(random.below(2) == 0 ? .integer(random.below(99)) : .real(Real(0.5))), nil,
      ])
    }
    let connection = try await file.connect(isWritable: true)
    try await connection.execute(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, few INT, many REAL, text TEXT, mixed, flag BOOLEAN, \
      day DATE, price DECIMAL(9, 2), none)
      """, cancellation: Cancellation())
    let schema = try await connection.schema(of: TableName("t"), cancellation: Cancellation())
    let batches = Batches([values])
    try await connection.insert(
      into: TableName("t"), columns: schema.columns, cancellation: Cancellation()
    ) { await batches.next() }
    await connection.close()
  }

  private static func objects(_ file: TestFile) async throws -> [Value] {
    let connection = try await file.connect()
    let snapshot = try await connection.snapshot(of: [], cancellation: Cancellation())
    let rows = try await snapshot.rows("SELECT * FROM t ORDER BY id", cancellation: Cancellation())
    let shape = Record.Shape(rows.columns.map(\.name))
    return rows.rows.map { .record(Record(shape: shape, values: $0)) }
  }

  @Test(arguments: ["wal", "delete"])
  func aTableIsReadAtOneState(mode: String) async throws {
    try await TestFile.run { file in
      let program = try OtherProgram(file)
      try program.execute(
        """
        PRAGMA journal_mode = \(mode);
        CREATE TABLE t (id INTEGER PRIMARY KEY, n INT);
        WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 60000)
        INSERT INTO t SELECT x, 0 FROM c;
        """)
      let writer = Task.detached {
        for _ in 0..<20 { try file.execute("UPDATE t SET n = n + 1") }
      }
      for _ in 0..<20 {
        let column = try file.load().table.column(
          ObjectKeyPath(key: "n"), cancellation: Cancellation())
        guard case .coded(let codes, _) = column else {
          Issue.record("the column has many values")
          continue
        }
        #expect((0..<codes.count).allSatisfy { codes[$0] == codes[0] })
      }
      try await writer.value
    }
  }

  @Test func theOnlyTableNeedsNoName() async throws {
    try await TestFile.run { file in
      try file.execute("CREATE TABLE only (a); INSERT INTO only VALUES (7)")
      #expect(try file.load().table.object(at: 0) == .record(Record([("a", 7)])))
      try file.execute("CREATE VIEW other AS SELECT a + 1 AS b FROM only")
      #expect(throws: TableError.self) { try file.load() }
      #expect(try file.load(table: "OTHER").table.object(at: 0) == .record(Record([("b", 8)])))
      let error = #expect(throws: SourceError.self) { try file.load(table: "othr") }
      guard case .database(let fault)? = error,
        case .unknownTable("othr") = fault.kind, fault.known == ["only", "other"]
      else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }

  @Test func tablesWithoutRowNumbersHaveTheOrderOfTheirKey() async throws {
    try await TestFile.run { file in
      try file.execute(
        """
        CREATE TABLE t (k TEXT, rowid INT, n INT, PRIMARY KEY (k, n DESC)) WITHOUT ROWID;
        INSERT INTO t VALUES ('b', 1, 1), ('a', 2, 1), ('a', 3, 2);
        CREATE INDEX i ON t (n, k, rowid)
        """)
      let table = try file.load().table
      #expect(
        try (0..<3).map { try table.object(at: $0) }.map(\.json) == [
          #"{"k":"a","rowid":2,"n":1}"#, #"{"k":"a","rowid":3,"n":2}"#,
          #"{"k":"b","rowid":1,"n":1}"#,
        ])
    }
  }

  @Test func aTableMayHaveManyColumns() async throws {
    try await TestFile.run { file in
      let names = (0..<350).map { "c\($0)" }
      try file.execute(
        "CREATE TABLE t (\(names.joined(separator: ", "))); INSERT INTO t VALUES ("
          + names.indices.map(String.init).joined(separator: ", ") + ")")
      guard case .record(let record) = try file.load().table.object(at: 0) else { return }
      #expect(record.values == names.indices.map { .integer($0) })
    }
  }

  @Test func bytesInMemoryAreRead() async throws {
    try await TestFile.run { file in
      try file.execute("PRAGMA journal_mode = wal; CREATE TABLE t (a); INSERT INTO t VALUES (1)")
      let loaded = try SQLiteFormat().read(
        FormatInput(name: "", bytes: MemoryBytes(file.bytes)))
      #expect(try loaded.table.object(at: 0) == .record(Record([("a", 1)])))
    }
  }

  @Test func aLockedFileIsAnError() async throws {
    try await TestFile.run { file in
      try file.execute("CREATE TABLE t (a)")
      let program = try OtherProgram(file)
      try program.execute("BEGIN EXCLUSIVE")
      let error = #expect(throws: SourceError.self) { try file.load() }
      #expect(error?.message.contains("another program has locked the database") == true)
      try program.execute("ROLLBACK")
      #expect(try file.load().table.count == 0)
    }
  }

  /// Damaged files are errors, or have fewer rows, but never crash.
  @Test func damagedFilesAreErrors() async throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SplitMix64(seed: seed)
    try await TestFile.run { file in
      try await Self.fill(file, rows: 300, &random)
      let bytes = file.bytes
      for _ in 0..<200 {
        var damaged = random.below(2) == 0 ? Array(bytes[..<random.below(bytes.count)]) : bytes
        for _ in 0..<random.below(20) where !damaged.isEmpty {
          damaged[random.below(damaged.count)] = UInt8(random.below(256))
        }
        try file.write(damaged)
        let result = Result { try file.load() }
        if case .failure(let error) = result {
          #expect(error is SourceError || error is TableError, "seed \(seed): \(error)")
        }
        _ = Result {
          try SQLiteFormat().read(FormatInput(name: "", bytes: MemoryBytes(damaged)))
        }
      }
    }
  }

  /// SQLite itself reads the missing end of a last page as zeros.
  @Test func aCutOffFileIsAnError() async throws {
    try await TestFile.run { file in
      try file.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
      try file.write(Array(file.bytes.dropLast(1)))
      #expect(throws: SourceError.self) { try file.load() }
      #expect(throws: SourceError.self) {
        try SQLiteFormat().read(FormatInput(name: "", bytes: MemoryBytes(file.bytes)))
      }
      await #expect(throws: DatabaseError.self) { _ = try await file.connect() }
    }
  }

  @Test func aCancelledLoadEnds() async throws {
    try await TestFile.run { file in
      try file.execute(
        """
        CREATE VIEW endless AS
        WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c
        """)
      let cancellation = Cancellation()
      var request = ReadRequest()
      request.path = file.path
      let input = FormatInput(
        name: file.path, bytes: MemoryBytes(file.bytes), request: request,
        cancellation: cancellation)
      let load = Task.detached { try SQLiteFormat().read(input).table.count }
      try await Task.sleep(for: .milliseconds(50))
      cancellation.cancel()
      await #expect(throws: TableError.cancelled) { try await load.value }
    }
  }
}
