import TestSupport
import Testing

@testable import DataTables

/// `types:` in small and large delimited texts, with anticipated columns, and in JSON.
struct RequestedTypesTests {
  private func load(
    _ text: String, named name: String = "t.csv", _ change: (inout ReadOptions) -> Void
  ) throws -> LoadedTable {
    var options = ReadOptions()
    change(&options)
    return try FormatTable.core.read(MemoryBytes(Array(text.utf8)), named: name, options: options)
  }

  private func values(_ loaded: LoadedTable, _ key: String = "v") throws -> [Value] {
    let column = try loaded.table.column(ObjectKeyPath(key: key), cancellation: Cancellation())
    let objects = try loaded.table.objects(at: Array(0..<loaded.table.count))
    return try objects.enumerated().map { row, object in
      guard case .record(let record) = object, let value = record[key] else {
        throw TableError.unknownKey(key, known: [])
      }
      let decoded: Value =
        switch column {
        case .coded(let codes, let values): values[codes[row]]
        case .keyed(let column): column.value(of: column.keys[row])
        }
      #expect(decoded == value, "row \(row)")
      return value
    }
  }

  @Test(
    arguments: [
      (.real, ".5", "0.5"), (.real, "+5", "5"), (.integer, "abc", nil), (.integer, "1.5", nil),
      (.integer, "1.0", "1.0"), (.bool, "yes", "true"), (.bool, "F", "false"),
      (.bool, "maybe", nil),
      (.date, "31/01/2024", "\"31/01/2024\""), (.date, "abc", nil), (.hex, "0xff", "255"),
      (.seconds, "0", "\"1970-01-01T00:00:00Z\""), (.string, "5", "\"5\""),
      (.real, "NaN", "\"NaN\""),
    ] as [(RequestedType, String, String?)])
  func aRequestedTypeIsHonored(type: RequestedType, cell: String, json: String?) throws {
    for (name, text) in [
      ("t.csv", "v,w\n\(cell),1\n,2\n"), ("t.json", #"[{"v": "\#(cell)"}, {"v": null}]"#),
      ("t.ndjson", "{\"v\": \"\(cell)\"}\n{\"v\": null}\n"),
    ] {
      let loaded = try load(text, named: name) { $0.types = ["v": type] }
      let values = try values(loaded)
      #expect(values.map(\.json) == [json ?? "null", "null"], "\(name)")
      #expect(loaded.report.columns.first?.type == type.type)
      #expect(loaded.report.misfits == (json == nil ? 1 : 0))
      #expect(loaded.report.rejects.map(\.text) == (json == nil ? [cell] : []))
      #expect(loaded.report.rejects.allSatisfy { $0.key == "v" })
    }
  }

  @Test(arguments: [
    ("t.csv", "w,v\n1,5\n2,abc\n", 3, 3), ("t.csv", "w,v\n\"a\nb\",\"x\"\n", 3, 5),
    ("t.csv", "w,v\r\n1,5\r\n2,abc\r\n", 3, 3),
    ("t.json", "[{\"v\": 1},\n {\"v\": \"abc\"}]", 2, 8),
    ("t.ndjson", "{\"v\":1}\n{\"w\":2,\"v\":[1]}\n{\"v\":{}}\n", 3, 6),
  ])
  func aMisfitHasItsPlace(name: String, text: String, line: Int, column: Int) throws {
    let loaded = try load(text, named: name) { $0.types = ["v": .integer] }
    #expect(loaded.report.rejects.map(\.line) == [line])
    #expect(loaded.report.rejects.map(\.column) == [column])
    #expect {
      try load(text, named: name) {
        $0.types = ["v": .integer]
        $0.isStrict = true
      }
    } throws: { error in
      guard case TableError.format(let message, let place)? = error as? TableError else {
        return false
      }
      return place == TextPosition(line: line, column: column)
        && message.hasPrefix("`v` is not an integer")
    }
  }

  @Test func theOrderOfDatesIsThatOfTheWholeColumn() throws {
    // The first rows are undecided, and one cell contradicts the others.
    let cells = ["01/02/2024", "02/02/2024", "31/01/2024", "30/01/2024", "01/31/2024", "x"]
    let loaded = try load("v,w\n" + cells.map { "\($0),1\n" }.joined()) { $0.types = ["v": .date] }
    let values = try values(loaded)
    #expect(values.map { $0.isNull } == [false, false, false, false, true, true])
    #expect(values[0] == .date(try #require(Timestamp(iso: "2024-02-01"))))
    #expect(loaded.report.misfits == 2)
  }

  @Test func undecidedDatesAreNullWithTheFix() throws {
    let text = "v,w\n01/02/2024,1\n02/03/2024,2\n"
    let loaded = try load(text) { $0.types = ["v": .date] }
    let evidence = loaded.report.columns[0].evidence ?? ""
    #expect(loaded.report.misfits == 2)
    #expect(evidence.hasSuffix("; add `dates: d/m/y` or `dates: m/d/y`"), "\(evidence)")
    let fixed = try load(text) {
      $0.types = ["v": .date]
      $0.dateOrder = "m/d/y"
    }
    #expect(try values(fixed)[0] == .date(try #require(Timestamp(iso: "2024-01-02"))))
    #expect(fixed.report.misfits == 0)
  }

  /// Random cells in texts that are scanned in many chunks, compared with reading each cell alone.
  @Test(arguments: [UInt64(1), 2, 3, 4])
  func largeTextsHaveTheSameValues(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let kinds: [RequestedType] = [.integer, .real, .bool, .date, .seconds, .hex]
    for round in 0..<40 {
      let type = random.one(of: kinds)
      let few = 1 + random.below(20)
      let cells = (0..<200 + random.below(2_000)).map { row -> String in
        switch random.below(few) {
        case 0: return random.one(of: ["abc", "", "\"\"", " ", "NA", "1.5x", "99/99/9999"])
        case 1: return random.one(of: ["+\(row)", ".\(row)", " \(row)", "true", "2024-01-31", "F"])
        case 2: return random.one(of: ["31/01/2024", "NaN", "-inf", "12345678901234567890"])
        default: return "\(row)"
        }
      }
      var options = ReadOptions()
      options.types = ["v": type]
      options.nulls = ["NA"]
      options.delimiter = UInt8(ascii: ",")
      var request = ReadRequest(options: options)
      request.reportsColumns = random.below(3) > 0
      request.anticipatedKeys = random.one(of: [[], ["v"]])
      let text = "w,v\n" + cells.map { "1,\($0)\n" }.joined()
      let sizes = ScanSizes(
        exact: random.one(of: [0, 1 << 20]), sample: 50 + random.below(900),
        chunk: 100 + random.below(4_000), window: 64 + random.below(600))
      let loaded = try DelimitedReader(
        MemoryBytes(Array(text.utf8)), request: request, delimiter: UInt8(ascii: ","), sizes: sizes
      ).read(cancellation: Cancellation())
      let order: WrittenDate.Order? = cells.contains("31/01/2024") ? .dayMonthYear : nil
      let form = CellForm(type, order: order, style: NumberStyle())
      var misfits: [String] = []
      let expected = cells.map { cell -> Value in
        let content = cell == "\"\"" ? "" : cell
        if content.isEmpty || content == " " || content == "NA" { return .null }
        var bytes = content
        if let value = bytes.withUTF8({ form.value(of: UnsafeRawBufferPointer($0)) }) {
          return value
        }
        misfits.append(content)
        return .null
      }
      let place: Comment = "seed \(seed), round \(round), \(type)"
      #expect(try values(loaded) == expected, place)
      #expect(loaded.report.misfits == misfits.count, place)
      #expect(loaded.report.rejects.map(\.text) == misfits, place)
    }
  }
}
