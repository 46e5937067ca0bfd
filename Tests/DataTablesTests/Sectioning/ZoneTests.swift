import Testing

@testable import DataTables

@Suite struct ZoneTests {
  @Test(arguments: [
    ("Asia/Kolkata", 19_800), ("Asia/Calcutta", 19_800), ("US/Eastern", -14_400), ("Etc/UTC", 0),
    ("Europe/Paris", 7_200), ("-0530", -19_800), ("utc", 0),
  ])
  func aZoneHasAnyOfItsNames(name: String, offset: Int) throws {
    #expect(try Zone(parsing: name).offset(at: 1_600_000_000) == offset)
  }

  @Test(arguments: ["", "Foo/Bar", "/", "Paris", "+25:00", "GMT+3"])
  func anotherTextIsRejected(name: String) {
    #expect(throws: TableError.self) { try Zone(parsing: name) }
  }
}
