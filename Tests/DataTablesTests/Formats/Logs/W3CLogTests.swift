import TestSupport
import Testing

@testable import DataTables

struct W3CLogTests {
  private func read(_ text: String, named name: String = "x.log") throws -> LoadedTable {
    try FormatTable.core.read(MemoryBytes(Array(text.utf8)), named: name)
  }

  private func rows(_ loaded: LoadedTable) throws -> [String] {
    try (0..<loaded.table.count).map { try loaded.table.object(at: $0).json }
  }

  @Test func theFieldsAreNamedByTheirDirective() throws {
    let loaded = try read(
      "#Version: 1.0\r\n#Fields: date time cs(Agent) sc-status\r\n"
        + "2024-11-22 06:25:01 \"a \"\"b\"\" c\" 200\r\n\r\n2024-11-22   06:25:02 - -\r\n")
    #expect(loaded.report.format == "W3C log")
    #expect(
      try rows(loaded) == [
        #"{"date":"2024-11-22","time":"06:25:01","cs(Agent)":"a \"b\" c","sc-status":200}"#,
        #"{"date":"2024-11-22","time":"06:25:02","cs(Agent)":null,"sc-status":null}"#,
      ])
  }

  @Test func tabsKeepBlanksAndEmptyFields() throws {
    let loaded = try read("#Fields: a b c\nx y\t\tz\n\t-\t1 2\n", named: "x.csv")
    #expect(
      try rows(loaded) == [#"{"a":"x y","b":null,"c":"z"}"#, #"{"a":null,"b":null,"c":"1 2"}"#])
  }

  @Test func repeatedDirectivesAreSkippedAndOtherFieldsReported() throws {
    let loaded = try read(
      "#Fields: a b\n1 2\n#Date: now\n#Fields: a b\n3 4\n#Fields: b a\n5 6\n7\n9 9\n")
    #expect(loaded.table.count == 4)
    #expect(
      loaded.report.rejects.map(\.reason) == [
        "names other fields than the first `#Fields:`", "has 1 field for 2 keys",
      ])
  }

  @Test func withoutFieldsItIsAnError() {
    var options = ReadOptions()
    options.format = "w3c"
    #expect(
      throws: TableError.format("the log has no line `#Fields:` with names of fields", at: nil)
    ) {
      try FormatTable.core.read(
        MemoryBytes(Array("#Version: 1.0\n1 2\n".utf8)), named: "x.log", options: options)
    }
  }

  /// Random lines have the fields that splitting them finds, and nothing crashes.
  @Test(arguments: [UInt64(1), 2])
  func randomLinesAreSplitAtBlanks(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<300 {
      let lines = (0..<1 + random.below(6)).map { _ in
        String((0..<random.below(20)).map { _ in random.one(of: Array("ab-\" \"é#1  ")) })
      }
      let loaded = try? read("#Fields: x y\n\(lines.joined(separator: "\n"))\n")
      let plain = lines.filter { !$0.hasPrefix("#") && !$0.contains("\"") }
        .map { $0.split(separator: " ").map(String.init) }.filter { !$0.isEmpty }
      guard lines.allSatisfy({ !$0.contains("\"") }), let loaded else { continue }
      #expect(loaded.table.count == plain.count { $0.count == 2 }, "seed \(seed): \(lines)")
    }
  }
}
