import DataSources
import DataTables
import Databases
import TestServer
import TestSupport
import Testing

@testable import ClickHouseDatabase

/// Inserts of more rows than one statement takes, over connections that end.
@Suite(.requires(.clickhouse)) struct BrokenInsertTests {
  private static let count = 1000

  private func insert(
    on connection: ClickHouseConnection, _ cancellation: Cancellation = Cancellation()
  ) async throws -> DatabaseError? {
    let columns = ["id", "s"].map { DatabaseColumn(name: $0, declaredType: "", kind: .any) }
    let isDone = Cancellation()
    return try await failure {
      try await connection.insert(
        into: TableName("t"), columns: columns, cancellation: cancellation
      ) {
        if isDone.isCancelled { return [] }
        isDone.cancel()
        let text = Value.string(String(repeating: "x", count: 9000))
        return (0..<Self.count).map { [.integer($0), text] }
      }
    }
  }

  private func port(of test: TestCluster) throws -> UInt16 {
    try #require(test.connection.address.hosts.first?.port.flatMap { UInt16($0) })
  }

  private func open(_ test: TestCluster, through proxy: BreakingProxy) async throws
    -> ClickHouseConnection
  {
    try await TestCluster.open(
      "clickhouse://127.0.0.1:\(proxy.port)/\(test.database)", isWritable: true)
  }

  /// The tables beside the one for the rows.
  private func others(_ test: TestCluster) async throws -> [String] {
    try await test.connection.rows(
      "SELECT name FROM system.tables WHERE database = currentDatabase() AND name != 't'",
      cancellation: Cancellation()
    ).rows.compactMap { $0.first?.string }
  }

  @Test(arguments: [BreakingProxy.Fault.restart, .end])
  func allRowsOrNoneAreInsertedAndOtherTablesAreNamed(fault: BreakingProxy.Fault) async throws {
    try await TestCluster.run { test in
      try await test.run("CREATE TABLE t (id UInt64, s String) ENGINE = MergeTree ORDER BY id")
      let port = try port(of: test)
      let whole = try BreakingProxy(to: port)
      let connection = try await open(test, through: whole)
      let first = whole.pieces
      #expect(try await insert(on: connection) == nil)
      await connection.close()
      whole.stop()
      var rows = Self.count
      var failures = 0
      // The first statements, parts of the rows, and the last statements.
      let pieces = Set(
        Array(first...first + 8) + Array(whole.pieces - 12...whole.pieces)
          + stride(from: first, to: whole.pieces, by: 23))
      for piece in pieces.sorted() {
        let proxy = try BreakingProxy(to: port, before: piece, fault)
        defer { proxy.stop() }
        // The server may take more pieces to open than before.
        guard let connection = try? await open(test, through: proxy) else { continue }
        let error = try await insert(on: connection)
        await connection.close()
        if error != nil { failures += 1 }
        let found = try await test.rows("SELECT count() FROM t")
        let isMoved = found == "[\(rows + Self.count)]"
        #expect(isMoved || found == "[\(rows)]" && error != nil, "piece \(piece)")
        if isMoved { rows += Self.count }
        let others = try await others(test)
        #expect(fault == .end || others.isEmpty, "piece \(piece)")
        for name in others {
          let text = test.connection.text(of: TableName(name))
          #expect(error?.leftovers == [text], "piece \(piece)")
          try await test.run("DROP TABLE \(SQL(text))")
        }
      }
      #expect(failures > pieces.count / 4)
    }
  }

  /// The limits of the cleanup end it, without a limit for the statements themselves.
  @Test(.timeLimit(.minutes(3))) func aCanceledInsertEndsThoughTheServerIsSilent() async throws {
    try await TestCluster.run { test in
      try await test.run("CREATE TABLE t (id UInt64, s String) ENGINE = MergeTree ORDER BY id")
      let port = try port(of: test)
      let whole = try BreakingProxy(to: port)
      _ = try await open(test, through: whole)
      whole.stop()
      // Some of the 140 pieces of rows, or more, after the other statements.
      let last = whole.pieces + 60
      let proxy = try BreakingProxy(to: port, before: last, .silence)
      defer { proxy.stop() }
      let connection = try await open(test, through: proxy)
      let cancellation = Cancellation()
      let work = Task { try await insert(on: connection, cancellation) }
      while proxy.pieces < last { try await Task.sleep(for: .milliseconds(5)) }
      cancellation.cancel()
      let error = try await work.value
      let others = try await others(test)
      #expect(others.count == 1)
      #expect(error?.leftovers == others.map { test.connection.text(of: TableName($0)) })
      #expect(error?.kind == .cancelled)
      #expect(try await test.rows("SELECT count() FROM t") == "[0]")
    }
  }
}
