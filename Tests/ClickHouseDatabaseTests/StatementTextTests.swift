import DataSources
import Databases
import Testing

@testable import ClickHouseDatabase

@Suite struct StatementTextTests {
  @Test(arguments: [
    "SELECT 1", "SELECT 1;", "SELECT ';' -- ; x\n ; /* ; x */ ;", "SELECT `;`, \"a;b\" FROM t",
    "SELECT 'it\\'s; x'", "SELECT a FROM t ORDER BY format DESC", "SELECT a.format x FROM t",
    "SELECT x AS format, y", "SELECT format FROM t", "SELECT 'FORMAT JSON'", "", ";", "'", "/*",
    "--",
    "`\\", "SELECT format('{}', x) FROM t",
  ])
  func oneStatementIsAccepted(text: String) {
    #expect(throws: Never.self) { try StatementText.check(text, isRead: true) }
  }

  @Test(arguments: [
    ("SELECT 1; SELECT 2", 9), ("SELECT 'é;'; x", 12), ("INSERT INTO t VALUES (1); SELECT 2", 25),
    ("SELECT 1 FORMAT JSON", 9), ("SELECT 1 format JSON;", 9),
    ("SELECT 1 FORMAT JSON SETTINGS a = 1", 9), ("SELECT 'é' FORMAT CSV", 11),
  ])
  func aSecondStatementOrAFormatIsRejectedAtItsPlace(text: String, offset: Int) {
    #expect { try StatementText.check(text, isRead: true) } throws: { error in
      (error as? DatabaseError)?.offset == offset
    }
  }

  @Test func rowsOfAnInsertAreNotScanned() {
    #expect(throws: Never.self) {
      try StatementText.check("INSERT INTO t FORMAT CSV\n1;2\n3;4", isRead: false)
    }
    #expect(throws: DatabaseError.self) {
      try StatementText.check("INSERT INTO t VALUES ('a'); x", isRead: false)
    }
  }
}
