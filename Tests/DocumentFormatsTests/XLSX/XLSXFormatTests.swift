import DataTables
import Foundation
import TestSupport
import Testing

@testable import DocumentFormats

@Suite struct XLSXFormatTests {
  @Test func cellsHaveTheTypesOfTheirFormats() throws {
    let table = try read("cells.xlsx")
    #expect(
      table.table.keys == ["id", "name", "amount", "day", "at", "clock", "long", "ok", "note"])
    #expect(
      try objects(table) == [
        #"{"id":1,"name":"Ann","amount":1.5,"day":"2024-01-31","at":"2024-01-31T10:30:00","#
          + #""clock":"09:05:00","long":"25:30:00","ok":true,"note":"plain"}"#,
        #"{"id":2,"name":"Łódź & <co>","amount":0.1,"day":"1900-01-01","#
          + #""at":"1999-12-31T23:59:59","clock":"23:59:59","long":"00:01:00","ok":false,"#
          + #""note":null}"#,
        #"{"id":3,"name":"007","amount":-12,"day":"1900-02-28","at":"2000-02-29T00:00:00","#
          + #""clock":null,"long":"48:00:00","ok":null,"note":"line\nbreak"}"#,
        #"{"id":5,"name":null,"amount":1e+20,"day":"1900-03-01","at":"9999-12-31T00:00:00","#
          + #""clock":"00:00:00","long":null,"ok":true,"note":"  blanks  "}"#,
        #"{"id":10,"name":null,"amount":null,"day":null,"at":null,"clock":null,"long":null,"#
          + #""ok":null,"note":null}"#,
      ])
    #expect(
      table.report.notes == [
        "4 blank rows skipped",
        "1 cell with an error read as null; the first is `#DIV/0!` in C10",
        "1 formula without a saved result read as null; a spreadsheet program saves the results",
        "1 merged range: the value is in the first cell",
      ])
  }

  @Test func stringsOfAllKindsAreRead() throws {
    let table = try read("hand.xlsx")
    #expect(
      try objects(table) == [
        #"{"rich":"a\rb _x0041_","inline ":null,"day":"1900-02-29"}"#,
        #"{"rich":true,"inline ":"2024-05-06T07:08:09","day":"1900-02-28T12:00:00"}"#,
        #"{"rich":12345678901234567890,"inline ":1.50,"day":0.1}"#,
      ])
    #expect(try (0..<3).map { try table.table.line(of: $0) } == [3, 4, 5])
  }

  @Test func theFirstSheetWithValuesIsRead() throws {
    let table = try read("sheets.xlsx")
    #expect(try objects(table) == [#"{"a":1,"b":"x"}"#])
    #expect(
      table.report.notes == [
        "read the sheet `Sales 2024`; others: `sheet: \"Empty\"`, `sheet: \"2\"`, "
          + "`sheet: \"Secret\"` (hidden)"
      ])
  }

  // A name precedes a number.
  @Test(arguments: [
    (Value.string("Sales 2024"), "a"), ("sales 2024", "a"), (4, "d"), (2, "c"), ("2", "c"),
    ("Secret", "d"),
  ])
  func aSheetHasANameOrANumber(sheet: Value, key: String) throws {
    let table = try read("sheets.xlsx", [(.sheet, sheet)])
    #expect(table.table.keys.first == key)
    #expect(table.report.notes == [])
  }

  @Test func anUnknownSheetFailsWithTheSheets() throws {
    #expect(
      failure("sheets.xlsx", [(.sheet, "3")])
        == .badArgument(
          "the workbook has no sheet `3`; it has `sheet: \"2\"`, `sheet: \"Empty\"`, "
            + "`sheet: \"Secret\"` (hidden), `sheet: \"Sales 2024\"`"))
    #expect(
      failure("sheets.xlsx", [(.sheet, "Empty")])
        == .format("the sheet `Empty` has no values", at: nil))
  }

  @Test func aTitleAboveTheTableAndEmptyColumnsAreSkipped() throws {
    let table = try read("title.xlsx")
    #expect(
      try objects(table) == [
        #"{"name":"x","value":1,"value_2":2,"column4":true}"#,
        #"{"name":"y","value":3,"value_2":4,"column4":null}"#,
        #"{"name":"z","value":5,"value_2":6,"column4":null}"#,
      ])
    #expect(
      table.report.notes == [
        "the rows before row 4 are a title; `skip: 0` reads the first row as the header",
        "duplicate key `value` in column 3 renamed to `value_2`",
        "column 4 has no name; its key is `column4`", "1 blank row skipped",
      ])
    let whole = try read("title.xlsx", [(.skip, 0)])
    #expect(whole.table.keys.first == "Report for 2024")
    #expect(whole.table.count == 4)
  }

  @Test(
    arguments: [
      ("Mai 2024", ["May 2024", "May 2022", "May 2023", "March 2024"]),
      (-1, ["May 2022", "May 2023", "May 2024", "June 2022"]),
      (.integer(.min), nil),
      (.integer(.max), nil), (37, nil),
    ] as [(Value, [String]?)])
  func ofManySheetsTheNearestAreNamed(sheet: Value, names: [String]?) throws {
    guard case .badArgument(let message)? = failure("many.xlsx", [(.sheet, sheet)]) else {
      Issue.record("expected an error for \(sheet.json)")
      return
    }
    #expect(message.hasPrefix("the workbook has no sheet `\(sheet.string ?? sheet.json)`; "))
    let list = message.split(separator: "sheets are ").last.map { String($0) }
    if let names {
      #expect(list == names.map { "`sheet: \"\($0)\"`" }.joined(separator: ", "))
    }
    let last = try read("many.xlsx", [(.sheet, 36)])
    #expect(try objects(last) == [#"{"column1":1}"#])
  }

  /// A row with values far apart holds only these; its values are those of a row without gaps.
  @Test(arguments: 0..<20)
  func rowsWithGapsHaveTheSameValues(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    for _ in 0..<200 {
      var row = SheetRow()
      var slow: [Value] = []
      var column = 0
      for number in 0..<random.below(12) {
        column += random.below(random.below(3) == 0 ? 40 : 3)
        row.append(.integer(number), at: column)
        while slow.count < column { slow.append(.null) }
        slow.append(.integer(number))
        column += 1
      }
      #expect(row.count == slow.count, "seed \(seed)")
      #expect((0..<slow.count + 20).map { row[$0] } == slow + [Value](repeating: .null, count: 20))
      #expect(row.dense ?? slow == slow)
      #expect(Array(row.filled) == slow.filter { !$0.isNull })
      var columns: [Int] = []
      row.forEachColumn { columns.append($0) }
      #expect(columns == slow.indices.filter { !slow[$0].isNull })
    }
    var last = SheetRow()
    last.append(1, at: 16_383)
    #expect(last.count == 16_384 && last.size == 1)
  }

  @Test func aSheetMayHaveItsLastCell() throws {
    let table = try read("corner.xlsx")
    #expect(try objects(table) == [#"{"a":1,"z":2}"#])
    #expect(try table.table.line(of: 0) == 1_048_576)
    #expect(
      failure("beyond.xlsx", [(.sheet, "S")])
        == .format("the sheet `S` is malformed at A2: a cell has the reference `XFE2`", at: nil))
    #expect(
      failure("beyond.xlsx", [(.sheet, "T")])
        == .format(
          "the sheet `T` is malformed at row 1: a row has the number `1048577`", at: nil))
  }

  // 300 rows with a single value, in the last column.
  @Test func theEmptyCellsOfAHostileSheetTakeNoMemory() throws {
    let table = try read("sparse.xlsx", [(.header, false)])
    #expect(table.table.count == 300)
    #expect(table.table.keys.count <= 1)
  }

  @Test func headerAndKeysAreThoseOfTheOptions() throws {
    let table = try read("sheets.xlsx", [(.header, false)])
    #expect(
      try objects(table) == [#"{"column1":"a","column2":"b"}"#, #"{"column1":1,"column2":"x"}"#])
    let named = try read("sheets.xlsx", [(.keys, ["p", "q"]), (.header, true)])
    #expect(try objects(named) == [#"{"p":1,"q":"x"}"#])
    #expect(
      failure("sheets.xlsx", [(.keys, ["p"])])
        == .badArgument(
          "`keys:` has 1 key for 2 columns; replace `keys:` with `keys: [p, column2]`"))
  }

  // Column B has no values.
  @Test func keysStandForTheColumnsOfTheSheet() throws {
    let whole = try read("gap.xlsx", [(.keys, ["a", "b", "c"])])
    #expect(try objects(whole).first == #"{"a":1,"b":null,"c":10}"#)
    #expect(whole.report.notes == [])
    let used = try read("gap.xlsx", [(.keys, ["a", "c"])])
    #expect(try objects(used).first == #"{"a":1,"c":10}"#)
    #expect(used.report.notes == ["column B has no values and no key"])
    let more = try read("gap.xlsx", [(.keys, ["a", "b", "c", "d"])])
    #expect(try objects(more).first == #"{"a":1,"b":null,"c":10,"d":null}"#)
  }

  @Test func aFirstRowOfNumbersIsARow() throws {
    let table = try read("numbers.xlsx")
    #expect(
      try objects(table) == [#"{"column1":1,"column2":2.5}"#, #"{"column1":3,"column2":4}"#])
    #expect(
      table.report.notes == [
        "the first row looks like data; `header: true` reads it as the header"
      ])
    #expect(try read("numbers.xlsx", [(.header, true)]).table.keys == ["1", "2.5"])
  }

  @Test func requestedTypesAndNullsAreHonored() throws {
    let table = try read(
      "cells.xlsx",
      [
        (.types, .record(Record([("id", "string"), ("name", "integer")]))), (.nulls, ["plain"]),
      ])
    #expect(
      try objects(table).prefix(2).map { String($0.prefix(24)) } == [
        #"{"id":"1","name":null,"a"#, #"{"id":"2","name":null,"a"#,
      ])
    #expect(try objects(table)[0].hasSuffix(#""note":null}"#))
    #expect(table.report.columns.map(\.type).prefix(3) == [.string, .integer, .real])
  }

  @Test func datesOfThe1904SystemAreShifted() throws {
    #expect(
      try objects(try read("dates1904.xlsx")) == [
        #"{"day":"1904-01-01"}"#, #"{"day":"2024-02-29"}"#,
      ])
  }

  @Test(arguments: [
    ("string.xlsx", "the sheet `S` is malformed at A1: the cell refers to string 7 of 0"),
    ("wide.xlsx", "the sheet `S` is malformed at A1: a cell has the reference `XFE1`"),
    ("backwards.xlsx", "the sheet `S` is malformed at row 3: a row has the number `1`"),
  ])
  func malformedSheetsFailWithThePlace(file: String, message: String) {
    #expect(failure(file, []) == .format(message, at: nil))
  }

  @Test func truncatedAndMalformedFilesFail() throws {
    guard case .format(let message, nil) = failure("malformed.xlsx", []) else {
      Issue.record("expected a failure")
      return
    }
    #expect(
      message.hasPrefix("the part `xl/worksheets/sheet1.xml` of the workbook is malformed at"))
    #expect(
      failure("truncated.xlsx", [])
        == .format(
          "`truncated.xlsx` is a truncated zip archive: its directory, which is at the end, is "
            + "missing", at: nil))
    let bytes = try bytes("cells.xlsx")
    for count in stride(from: 0, to: bytes.count, by: 7) {
      let part = Array(bytes.prefix(count))
      #expect(throws: TableError.self) {
        try Self.formats.read(MemoryBytes(part), named: "x.xlsx", options: ReadOptions())
      }
    }
  }

  @Test func changedBytesNeverCrash() throws {
    var random = SplitMix64(seed: 5)
    let bytes = try bytes("hand.xlsx")
    for _ in 0..<500 {
      var changed = bytes
      for _ in 0..<3 {
        changed[random.below(changed.count)] = UInt8(truncatingIfNeeded: random.next())
      }
      do {
        let loaded = try Self.formats.read(
          MemoryBytes(changed), named: "x.xlsx", options: ReadOptions())
        let objects = try loaded.table.objects(at: Array(0..<loaded.table.count))
        #expect(objects.count == loaded.report.rows)
      } catch is TableError {}
    }
  }

  @Test func theSizeAfterDecompressionIsLimited() throws {
    var options = ReadOptions()
    options.limits.decompressedSize = 1_000
    let bytes = MemoryBytes(try bytes("cells.xlsx"))
    #expect(
      throws: TableError.limit(
        "the workbook has too many bytes after decompression", setting: "maxSize: 1073741824",
        at: nil)
    ) { try Self.formats.read(bytes, named: "x.xlsx", options: options) }
  }

  private static let formats = FormatTable.core.adding(FormatTable.documents)

  private func bytes(_ file: String) throws -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Data/xlsx")
    return Array(try Data(contentsOf: folder.appending(path: file)))
  }

  private func read(
    _ file: String, _ values: [(ReadOption, Value)] = []
  ) throws -> LoadedTable {
    var options = ReadOptions()
    for (option, value) in values { try option.apply(value, to: &options) }
    return try Self.formats.read(MemoryBytes(try bytes(file)), named: file, options: options)
  }

  private func failure(
    _ file: String, _ values: [(ReadOption, Value)]
  ) -> TableError? {
    do {
      _ = try read(file, values)
      return nil
    } catch {
      return error as? TableError
    }
  }

  private func objects(_ table: LoadedTable) throws -> [String] {
    try (0..<table.table.count).map { try table.table.object(at: $0).json }
  }
}
