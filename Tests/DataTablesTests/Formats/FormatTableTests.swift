import Testing

@testable import DataTables

@Suite struct FormatTableTests {
  /// A format that another module could define.
  private struct ColonFormat: TableFormat {
    static let separator = ReadOption(
      "separator", .character, "character after the key", example: "\":\"")

    let names = ["colons"]
    let extensions = ["colons"]
    let mediaTypes = ["text/x-colons"]
    let options = [Self.separator]

    func recognize(_ sample: FormatSample) -> Recognition {
      sample.bytes.starts(with: Array("::".utf8)) ? .certain : .ifNamed
    }

    func read(_ input: FormatInput) throws -> LoadedTable {
      let separator: Value = input.options[Self.separator] ?? ":"
      return LoadedTable(
        table: ValueTable([separator]), report: LoadReport(format: "colons", rows: 1))
    }
  }

  private static let formats = FormatTable.core.adding([ColonFormat()])

  private func format(_ text: String, named name: String) throws -> String {
    let options = ReadOptions()
    return try Self.formats.read(
      MemoryBytes(Array(text.utf8)), named: name, options: options
    ).report.format
  }

  @Test(arguments: [
    ("::\na,b", "x.csv", "colons"), ("a\n1", "x.colons", "colons"), ("a\n1", "x", "CSV"),
    ("{\"a\": 1}", "x", "JSON"), ("{\"a\": 1}\n{\"a\": 2}", "x.json", "NDJSON"),
    ("{\"a\": 1}", "x.csv", "CSV"), ("a\tb\n1\t2", "x.tsv", "TSV"),
  ])
  func contentThatIsCertainOutweighsTheExtension(
    text: String, name: String, format: String
  ) throws {
    #expect(try self.format(text, named: name) == format)
  }

  @Test func aFormatOfAnotherModuleHasOptionsOfItsOwn() throws {
    var options = ReadOptions()
    try ColonFormat.separator.apply("=", to: &options)
    let text = MemoryBytes(Array("::".utf8))
    let table = try Self.formats.read(text, named: "", options: options).table
    #expect(try table.object(at: 0) == "=")
    #expect(Self.formats.options.map(\.name).last == "separator")
    #expect(options.given == ["separator"])
    try ColonFormat.separator.apply(nil, to: &options)
    #expect(options == ReadOptions())
  }

  @Test(
    arguments: [
      (ReadOption.decimal, "."), (.strict, false), (.nulls, []), (.unit, []),
    ] as [(ReadOption, Value)])
  func anOptionWithItsDefaultValueIsGiven(option: ReadOption, value: Value) throws {
    var options = ReadOptions()
    try option.apply(value, to: &options)
    #expect(options.given == [option.name])
    let text = MemoryBytes(Array("::".utf8))
    #expect(throws: TableError.self) {
      try Self.formats.read(text, named: "", options: options)
    }
    try option.apply(nil, to: &options)
    #expect(options == ReadOptions())
  }

  @Test func anOptionThatTheFormatDoesNotSupportIsAnError() throws {
    var options = ReadOptions()
    options.delimiter = UInt8(ascii: ";")
    let error = #expect(throws: TableError.self) {
      try FormatTable.core.read(MemoryBytes(Array("[1]".utf8)), named: "x.json", options: options)
    }
    let message = "the format json does not support `delimiter:`; it supports `keyPath:` "
    #expect(error?.message.hasPrefix(message) ?? false)
  }

  @Test(
    arguments: [
      ("text/csv", "csv"), ("application/json", "json"), ("application/problem+json", "json"),
      ("application/x-ndjson", "ndjson"), ("text/x-colons", "colons"), ("text/plain", nil),
    ] as [(String, String?)])
  func mediaTypesDetermineFormats(type: String, name: String?) {
    #expect(Self.formats.format(ofMediaType: type)?.name == name)
  }

  @Test(arguments: [
    ("PAR1\u{0}\u{15}", "a Parquet file, which cannot be read; convert it to CSV or NDJSON"),
    ("%PDF-1.7\n", "a PDF document, which cannot be read; export its table as CSV or JSON"),
    ("SQLite format 3\u{0}\u{10}", "an SQLite database"),
  ])
  func knownFormatsThatCannotBeReadAreNamed(text: String, message: String) {
    let error = #expect(throws: TableError.self) {
      try FormatTable.core.read(MemoryBytes(Array(text.utf8)), named: "x.csv")
    }
    #expect(error?.message.contains(message) ?? false)
  }

  @Test(
    arguments: [
      ([0x4F, 0x62, 0x6A, 0x01], "an Avro file"), ([0x4F, 0x52, 0x43, 0x08, 0x03], "an ORC file"),
      ([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A], "an HDF5 file"),
      ([0x80, 0x04, 0x95, 0x0A], "a pickle of Python"), (Array("$FL2@(#)".utf8), "an SPSS file"),
      (Array("$FL3@(#)".utf8), "a compressed SPSS file"),
      ([0x04, 0x22, 0x4D, 0x18, 0x64], "compressed with lz4"),
      ([0x1F, 0x9D, 0x90, 0x61], "compressed with compress"),
    ] as [([UInt8], String)])
  func marksThatAreNotTextAreEnough(bytes: [UInt8], phrase: String) {
    let error = #expect(throws: TableError.self) {
      try FormatTable.core.read(MemoryBytes(bytes), named: "x.csv")
    }
    #expect(error?.message.hasPrefix("the file is \(phrase), which cannot be read; ") ?? false)
  }

  @Test(arguments: ["ORC,OTTO\n1,2\n", "Obj,PAR1\n1,2\n", "BZh,GIF8\n1,2\n"])
  func aTextThatBeginsLikeAnotherFormatIsRead(text: String) throws {
    #expect(try format(text, named: "x.csv") == "CSV")
  }

  @Test(arguments: [[UInt8]("a,b\u{0}c".utf8), [0x80, 0x00, 0x01]])
  func bytesThatAreNotTextAreAnError(bytes: [UInt8]) {
    let error = #expect(throws: TableError.self) {
      try FormatTable.core.read(MemoryBytes(bytes), named: "x")
    }
    #expect(error?.message.hasPrefix("not a text file: byte ") ?? false)
  }

  @Test(arguments: [0x0A, 0x20, 0x09] as [UInt8])
  func longTextsOfWhiteSpaceAreErrors(byte: UInt8) throws {
    let blank = [UInt8](repeating: byte, count: 3 << 20)
    #expect(throws: TableError.format("the file contains only white space", at: nil)) {
      try FormatTable.core.read(MemoryBytes(blank), named: "t.csv")
    }
    if byte != 0x0A { return }
    let table = try FormatTable.core.read(MemoryBytes(blank + Array("a\n1\n".utf8)), named: "t.csv")
    #expect(table.table.count == 1)
  }
}
