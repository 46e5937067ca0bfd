import Testing

@testable import DataTables

struct DialectCheckTests {
  private func load(_ change: (inout ReadOptions) -> Void) throws {
    var options = ReadOptions()
    change(&options)
    _ = try FormatTable.core.read(
      MemoryBytes(Array("a;b\n1;2\n".utf8)), named: "t.csv", options: options)
  }

  private func byte(_ character: Unicode.Scalar) -> UInt8 { UInt8(ascii: character) }

  @Test func aCharacterHasOneMeaning() {
    #expect(throws: TableError.self) {
      try load { ($0.delimiter, $0.quote) = (byte("'"), .character(byte("'"))) }
    }
    #expect(throws: TableError.self) {
      try load { ($0.delimiter, $0.escape) = (byte(";"), byte(";")) }
    }
    #expect(throws: TableError.self) { try load { $0.escape = byte("\"") } }
    #expect(throws: TableError.self) {
      try load { ($0.delimiter, $0.commentPrefix) = (byte(";"), ";") }
    }
    #expect(throws: TableError.self) { try load { $0.commentPrefix = ";" } }
    #expect(throws: TableError.self) { try load { $0.delimiter = byte("\n") } }
    #expect(throws: TableError.self) { try load { $0.delimiter = byte("\"") } }
    #expect(throws: Never.self) {
      try load { ($0.delimiter, $0.quote) = (byte("\""), QuoteCharacter.none) }
    }
    #expect(throws: Never.self) { try load { $0.commentPrefix = "; " } }
  }
}
