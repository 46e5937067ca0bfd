import Testing

@testable import DataTables

/// The types that are detected, and the labels that are suggested.
struct DetectedTypesTests {
  private func load(
    _ cells: [String], _ change: (inout ReadOptions) -> Void = { _ in }
  ) throws -> (report: ColumnReport, values: [Value]) {
    var options = ReadOptions()
    options.delimiter = UInt8(ascii: ";")
    change(&options)
    let text = "v;w\n" + cells.map { "\($0);x\n" }.joined()
    let loaded = try FormatTable.core.read(
      MemoryBytes(Array(text.utf8)), named: "t.csv", options: options)
    let values = try loaded.table.objects(at: Array(cells.indices)).map { object in
      if case .record(let record) = object { record["v"] ?? .null } else { Value.null }
    }
    return (try #require(loaded.report.columns.first), values)
  }

  @Test(arguments: [
    (["1", "2"], ColumnType.integer), (["1", "+2"], .integer), ([".5", "5."], .real),
    (["1", " 2 ", "\t3"], .integer), (["1", "\"\"", "2"], .integer),
    (["1", "\" \"", "2"], .integer),
    (["1.5", "NaN"], .real), (["1", "NaN "], .real), (["1", "inf", "-Infinity"], .real),
    (["NaN", "inf"], .string),
    (["0123", "456"], .string), (["12345678901234567890", "1"], .real), (["true", "\"\""], .bool),
    (["2024-01-31", "\"\""], .date), (["31/01/2024", "01/02/2024"], .date),
    (["01/31/2024", "01/02/2024"], .date), (["01/02/2024", "02/03/2024"], .string),
    (["31/01/2024", "01/31/2024"], .string), (["31.01.2024 17:30"], .date),
    (["2024/1/31", "2024-02-01"], .date), (["31-Jan-24", "1-Feb-69"], .date),
    (["Jan 31, 2024 5:30 PM"], .date), (["1.12.15", "1.13.15"], .string), (["10.15.07"], .string),
    (["yes", "no"], .string), (["$5"], .string), (["1,5"], .string), (["\"\""], .string),
  ])
  func typesAreDetectedFromAllCells(cells: [String], type: ColumnType) throws {
    #expect(try load(cells).report.type == type, "\(cells)")
  }

  @Test func textsAreKept() throws {
    #expect(try load([".5", "+1"]).values.map { "\($0.json)" } == ["0.5", "1"])
    let dates = try load(["31/01/2024", "01/02/2024"]).values
    #expect(dates.map(\.json) == ["\"31/01/2024\"", "\"01/02/2024\""])
    #expect(dates[1].compare(dates[0]) == .after)
    #expect(try load(["\"\"", "a"]).values.map(\.json) == ["\"\"", "\"a\""])
    #expect(try load(["\"\"", "1"]).values.map(\.json) == ["null", "1"])
    #expect(try load([" 5", "a"]).values.map(\.json) == ["\" 5\"", "\"a\""])
  }

  @Test(arguments: [
    (["yes", "No"], "types: {v: bool}"), (["Y", "N"], "types: {v: bool}"),
    (["t", "F"], "types: {v: bool}"), (["1", "0"], "types: {v: bool}"),
    (["1,234.56", "7"], "thousands: \",\""), (["1.234,56"], "decimal: \",\" thousands: ."),
    (["1,5", "2"], "decimal: \",\""), (["$5", "$6.50"], "unit: \"$\""),
    (["5 %", "7 %"], "unit: \"%\""),
    (["1_000", "20"], "thousands: \"_\""), (["$1,000.50"], "thousands: \",\" unit: \"$\""),
    (["5 km", "7.5 km"], "unit: km"), (["0x1F", "0xA0"], "types: {v: hex}"),
    (["1F", "A0"], "types: {v: hex}"), (["01/02/2024"], "dates: d/m/y"),
    (["10.12.07"], "dates: d/m/y"), (["(5)", "7"], "accounting: true"),
    (["5-", "7.5"], "accounting: true"), (["( 5 )"], "accounting: true"),
    (["1,234.56-"], "thousands: \",\" accounting: true"),
    (["($5.00)", "-$5", "$7"], "unit: \"$\" accounting: true"),
    (["(5 €)", "5 €-"], "unit: \"€\" accounting: true"),
  ])
  func aSuggestionMakesTheTypeFit(cells: [String], labels: String) throws {
    let report = try load(cells).report
    let advice = report.evidence ?? report.hint ?? ""
    #expect(advice.contains("`\(labels)`"), "\(cells): \(advice)")
  }

  @Test(arguments: [
    ["yes", "no", "maybe"], ["$5", "€6"], ["Q1", "Q2"], ["abc"], ["5 km", "7 mi"], ["T"], ["12:30"],
    ["face", "bad"], ["1,5", "1.5"], ["(-5)"], ["-5-"], ["(5"], ["5)"], ["()"], ["-"], ["(a)"],
  ])
  func nothingIsSuggestedIfACellDoesNotFit(cells: [String]) throws {
    let report = try load(cells).report
    #expect(report.evidence?.contains("add") != true && report.hint == nil, "\(report)")
  }

  @Test func suggestedLabelsWork() throws {
    func style(_ change: (inout NumberStyle) -> Void) -> (inout ReadOptions) -> Void {
      var style = NumberStyle()
      change(&style)
      return { $0.numberStyle = style }
    }
    let european = style {
      $0.decimal = UInt8(ascii: ",")
      $0.thousands = Array(".".utf8)
    }
    let money = try load(["1.234,56", "7", "-0,5"], european)
    #expect(money.report.type == .real)
    #expect(money.values.map(\.json) == ["1234.56", "7", "-0.5"])
    let dollars = try load(["$5", "$6"], style { $0.units = [Array("$".utf8)] })
    #expect(dollars.report.type == .integer)
    #expect(dollars.values == [5, 6])
    // A point is not a decimal point any longer.
    #expect(
      try load(["1.5", "2"], style { $0.decimal = UInt8(ascii: ",") }).report.type == .string)
    let dates = try load(["01/02/2024", "31-Jan-24"]) { $0.dateOrder = "d/m/y" }
    #expect(dates.report.type == .date)
  }

  @Test func notANumberIsPointedOut() throws {
    #expect(try load(["1", "NaN", "nan"]).report.hint?.contains("`nulls: NaN`") == true)
  }

  @Test func quotedKeysAreQuotedInSuggestions() throws {
    let loaded = try FormatTable.core.read(
      MemoryBytes(Array("is it,w\nyes,1\nno,2\n".utf8)), named: "t.csv")
    #expect(loaded.report.columns[0].evidence?.contains("`types: {\"is it\": bool}`") == true)
  }
}

/// Columns with NaN and infinities, with few and with many distinct values.
struct NonFiniteColumnTests {
  @Test(arguments: [40, 40_000])
  func sortsSectionsAndPredicatesAgree(rows: Int) throws {
    let words = ["NaN", "inf", "-inf", "nan", "Infinity"]
    let cells = (0..<rows).map { $0 % 7 == 0 ? words[$0 / 7 % words.count] : "\($0).5" }
    let text = "v,w\n" + cells.map { "\($0),1\n" }.joined()
    let table = try FormatTable.core.read(MemoryBytes(Array(text.utf8)), named: "t.csv").table
    let column = try table.column(ObjectKeyPath(key: "v"), cancellation: Cancellation())
    if rows > 20_000, case .coded = column { Issue.record("the column has no keys") }
    let objects = try table.objects(at: Array(0..<rows))
    let values = objects.map { object in
      if case .record(let record) = object { record["v"] ?? .null } else { Value.null }
    }
    let sorted = try table.sorted(.natural(rows), by: [SortDescriptor(ObjectKeyPath(key: "v"))])
    let ordered = (0..<rows).map { values[sorted[$0]] }
    #expect(zip(ordered, ordered.dropFirst()).allSatisfy { $0.compare($1) != .after })
    #expect(ordered.last == .real(Real(.nan)))
    #expect(ordered.first == .real(Real(-.infinity)))
  }
}
