import DSInterpreter
import DataSources
import Foundation
import Testing

/// Faults of files of SQLite that a script cannot make.
@Suite struct SQLiteFaultTests {
  /// Runs a test with a folder and a session.
  private func run(_ test: (String, inout ServerShell) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/sqlite-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var shell = ServerShell()
    try await test(folder, &shell)
  }

  @Test func aDamagedFileIsNamed() async throws {
    try await run { folder, shell in
      let path = folder + "/shop.sqlite"
      try await shell.run(
        """
        let shop = open \(path) write: true
        exec shop "CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT)"
        exec shop "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5000) INSERT INTO t SELECT n, 'row ' || n FROM c"
        close shop
        """)
      let whole = try #require(FileManager.default.contents(atPath: path))
      // Not a database, in spite of its first bytes.
      try (whole.prefix(16) + Data(repeating: 0x5A, count: 4096)).write(
        to: URL(filePath: folder + "/noise.sqlite"))
      #expect(
        try await shell.run("open \(folder)/noise.sqlite") == [
          "error: \(folder)/noise.sqlite: the file is not a database of SQLite, or is encrypted "
            + "(SQLITE_NOTADB)"
        ])
      // Half a file.
      try whole.prefix(whole.count / 2).write(to: URL(filePath: folder + "/half.sqlite"))
      let half = try await shell.run("open \(folder)/half.sqlite")
      #expect(half.count == 1)
      #expect(
        half.first?.hasPrefix("error: \(folder)/half.sqlite: the database is damaged: ") == true,
        "\(half)")
      // Damaged pages are found when they are read, and no row is made up.
      var damaged = whole
      damaged.replaceSubrange(
        whole.count / 2..<whole.count / 2 + 8192, with: Data(repeating: 0xFF, count: 8192))
      try damaged.write(to: URL(filePath: folder + "/damaged.sqlite"))
      let lines = try await shell.run("let d = open \(folder)/damaged.sqlite; objects d.t")
      #expect(lines.contains { $0.contains("the database is damaged") }, "\(lines)")
      try Data("id,name\n1,Pie\n".utf8).write(to: URL(filePath: folder + "/text.sqlite"))
      #expect(
        try await shell.run("open \(folder)/text.sqlite") == [
          "error: `\(folder)/text.sqlite` is not a database; `load \(folder)/text.sqlite` reads "
            + "other files"
        ])
    }
  }

  @Test func aLockedDatabaseIsReported() async throws {
    try await run { folder, shell in
      let path = folder + "/shop.sqlite"
      try await shell.run(
        """
        let shop = open \(path) write: true timeout: 0.2
        exec shop "CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT)"
        exec shop "INSERT INTO t VALUES (1, 'a')"
        """)
      let other = Process()
      other.executableURL = URL(filePath: "/usr/bin/env")
      other.arguments = ["sqlite3", path]
      let input = Pipe()
      other.standardInput = input
      let output = Pipe()
      other.standardOutput = output
      try other.run()
      try input.fileHandleForWriting.write(
        contentsOf: Data("BEGIN EXCLUSIVE;\nSELECT 'locked';\n".utf8))
      // The lock is held when the line arrives.
      _ = output.fileHandleForReading.availableData
      let message =
        "error: another program has locked the database; try again, or raise `timeout:` "
        + "(SQLITE_BUSY)"
      #expect(try await shell.run(#"exec shop "INSERT INTO t VALUES (2, 'b')""#) == [message])
      #expect(try await shell.run("save (simple [{a: 1}]) shop.u") == [message])
      #expect(try await shell.failure("objects shop.t") == .timeout)
      try input.fileHandleForWriting.write(contentsOf: Data("COMMIT;\n.quit\n".utf8))
      other.waitUntilExit()
      #expect(
        try await shell.run("objects shop.t; tables shop") == [
          "id  s", " 1  a", "table  kind   rows  primary key", "t      table  1     id",
        ])
    }
  }
}
