import TestSupport
import Testing

@testable import DataTables

/// Columns of delimited text that are decoded during the scan for rows.
struct DelimitedAnticipationTests {
  private static let never = Cancellation()
  private static let keys = ["a", "b", "c", "d"]

  private struct Case: CustomStringConvertible {
    var text: String
    var request: ReadRequest
    var sizes: ScanSizes

    var description: String {
      "\(sizes) \(request.options.types) \(request.anticipatedKeys) \(text.debugDescription)"
    }
  }

  /// Generators of cells; a column may change from one to another.
  private static let cells: [@Sendable (Int, inout SplitMix64) -> String] = [
    { _, _ in "" },
    { _, random in random.one(of: ["x", "Ann", "É", "\"a,b\"", "\"q\"\"q\"", "NA", "\"\""]) },
    { row, _ in "name \(row * 7919)" },
    { row, random in "\"\(random.below(9))\n\(row)\"" },
    { _, random in "\(random.below(100))" },
    { row, _ in "\(row).5" },
    { row, _ in "2012-11-\(10 + row % 20)" },
    { _, random in random.one(of: ["true", "false", "007"]) },
    { _, random in String(repeating: "long ", count: random.below(80)) },
  ]

  private func randomCase(_ random: inout SplitMix64) -> Case {
    let end = random.one(of: ["\n", "\r\n"])
    let kinds = Self.keys.map { _ in (random.one(of: Self.cells), random.one(of: Self.cells)) }
    let rows = random.below(300)
    let turn = random.below(2) == 0 ? rows : random.below(rows + 1)
    var text = Self.keys.joined(separator: ",") + end
    for row in 0..<rows {
      let cells = kinds.map { (row < turn ? $0.0 : $0.1)(row, &random) }
      switch random.below(60) {
      case 0: text += cells.dropLast(random.below(3)).joined(separator: ",") + end
      case 1: text += cells.joined(separator: ",") + ",more" + end
      case 2: text += "1,\"broken\"quote" + end
      case 3: text += end
      default: text += cells.joined(separator: ",") + (row == rows - 1 ? "" : end)
      }
    }
    var options = ReadOptions()
    options.delimiter = UInt8(ascii: ",")
    (options.hasHeader, options.skippedLines) = (true, 0)
    if random.below(3) == 0 { options.nulls = ["NA", "x"] }
    if random.below(4) == 0 { options.types = ["b": random.one(of: [.string, .integer, .date])] }
    var request = ReadRequest(options: options)
    request.reportsColumns = random.below(4) > 0
    request.anticipatedKeys = random.one(
      of: [["a"], ["d", "b"], ["c", "c", "a"], ["no such", "b"], ["no such"], Self.keys])
    let sizes = ScanSizes(
      exact: random.below(8) == 0 ? 1 << 20 : 0, sample: 20 + random.below(2_000),
      chunk: 30 + random.below(4_000), window: 16 + random.below(600))
    return Case(text: text, request: request, sizes: sizes)
  }

  @Test(arguments: [UInt64(1), 2, 3, 4, 16, 62])
  func anticipatedColumnsEqualThoseOfASecondPass(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for round in 0..<120 {
      let one = randomCase(&random)
      var other = one
      other.request.anticipatedKeys = []
      let place: Comment = "seed \(seed), round \(round): \(one)"
      let (table, report): (any Table, LoadReport)
      do {
        (table, report) = try read(one)
      } catch let error as TableError {
        // A text whose few rows are all irregular cannot be read, whatever is anticipated.
        #expect(throws: error, place) { try read(other) }
        continue
      }
      let (expected, expectedReport) = try read(other)
      #expect("\(report)" == "\(expectedReport)", place)
      try compare(table, expected, &random, place)
    }
  }

  private func compare(
    _ table: any Table, _ expected: any Table, _ random: inout SplitMix64, _ place: Comment
  ) throws {
    var keys = Self.keys
    keys.shuffle(using: &random)
    var remaining = keys[...]
    while !remaining.isEmpty {
      let group = remaining.prefix(1 + random.below(3))
      remaining = remaining.dropFirst(group.count)
      #expect(table.typeChanges == expected.typeChanges, place)
      let paths = group.map { ObjectKeyPath(key: $0) }
      if random.below(6) == 0 { table.release(paths) }
      try table.decode(paths, cancellation: Self.never)
      try expected.decode(paths, cancellation: Self.never)
      for path in paths {
        #expect(try table.values(of: path) == expected.values(of: path), place)
      }
    }
    #expect(table.typeChanges == expected.typeChanges, place)
    let rows = Array(0..<table.count)
    #expect(try table.objects(at: rows) == expected.objects(at: rows), place)
  }

  private func read(_ one: Case) throws -> (any Table, LoadReport) {
    try read(MemoryBytes(Array(one.text.utf8)), one.request, one.sizes)
  }

  private func read(
    _ store: any ByteStore, _ request: ReadRequest, _ sizes: ScanSizes
  ) throws -> (any Table, LoadReport) {
    let reader = try DelimitedReader(
      store, request: request, delimiter: UInt8(ascii: ","), sizes: sizes)
    let loaded = try reader.read(cancellation: Self.never)
    return (loaded.table, loaded.report)
  }

  private func anticipating(_ keys: [String]) -> ReadRequest {
    var request = ReadRequest()
    request.anticipatedKeys = keys
    return request
  }

  private static let small = ScanSizes(exact: 0, sample: 500, chunk: 3_000, window: 1_000)

  @Test func aTypeChangeIsReportedOnlyWhenTheColumnIsAccessed() throws {
    let text = "a,b\n" + (0..<2_000).map { "\($0),\($0)\n" }.joined() + "x,y\n"
    let store = MemoryBytes(Array(text.utf8))
    let (table, report) = try read(store, anticipating(["a", "b"]), Self.small)
    #expect(report.columns.map(\.type) == [.integer, .integer])
    #expect(table.typeChanges.isEmpty)
    _ = try table.values(of: ObjectKeyPath(key: "b"))
    #expect(table.typeChanges.map(\.key) == ["b"])
    let evidence = try #require(table.typeChanges.first?.evidence)
    #expect(evidence.hasPrefix("2,000 numbers, 1 non-number, at line 2002 (\"y\")"))
  }

  @Test func columnsAreReadAgainAfterAWrongGuess() throws {
    // A cell with lines like rows, so long that no quote is near the chunk boundaries within it.
    let cell = String(repeating: "7,8\n", count: 30_000)
    let text = "a,b\n1,2\n3,\"\(cell)\"\n" + (0..<500).map { "\($0),x\($0 % 3)\n" }.joined()
    let store = CountingBytes(text)
    let sizes = ScanSizes(exact: 0, sample: 50, chunk: 20_000, window: 5_000)
    let (table, report) = try read(store, anticipating(["a", "b"]), sizes)
    #expect(report.rows == 502)
    let atLoad = store.bytesRead
    let values = try table.values(of: ObjectKeyPath(key: "b"))
    #expect(store.bytesRead > atLoad)
    #expect(values[1] == .string(cell))
    #expect(values.dropFirst(2).enumerated().allSatisfy { $1 == .string("x\($0 % 3)") })
  }

  @Test func codesThatOutgrowSixteenBitsContinueWider() throws {
    let names = (0..<210_000).map { $0 % 3 == 0 ? "y\($0)" : "x" }
    let store = CountingBytes("name\n" + names.joined(separator: "\n") + "\n")
    let options = anticipating(["name"])
    let (table, _) = try read(store, options, ScanSizes())
    let atLoad = store.bytesRead
    let column = try table.column(ObjectKeyPath(key: "name"), cancellation: Self.never)
    #expect(store.bytesRead == atLoad)
    guard case .coded(.wide(let codes), let values) = column else {
      Issue.record("the codes have 16 bits")
      return
    }
    #expect(names.indices.first { values[Int(codes[$0])] != .string(names[$0]) } == nil)
  }

  @Test(arguments: [false, true])
  func manyNumbersBecomeKeysUnlessACellIsNotANumber(isBroken: Bool) throws {
    var cells = (0..<120_000).map { "\($0 * 3).25" }
    if isBroken { cells[119_000] = "none" }
    let store = CountingBytes("x\n" + cells.joined(separator: "\n") + "\n")
    let (table, _) = try read(
      store, anticipating(["x"]), ScanSizes(exact: 0, chunk: 100_000))
    let atLoad = store.bytesRead
    let column = try table.column(ObjectKeyPath(key: "x"), cancellation: Self.never)
    #expect((store.bytesRead > atLoad) == isBroken)
    // Read once, because the column is known to have a cell without a key, and once more to count
    // lines for the evidence.
    #expect(store.bytesRead - atLoad < store.count * 5 / 2)
    if case .keyed = column { #expect(!isBroken) } else { #expect(isBroken) }
    let values = try table.values(of: ObjectKeyPath(key: "x"))
    let wrong = cells.indices.first {
      values[$0] != (isBroken ? .string(cells[$0]) : Value(literal: cells[$0]))
    }
    #expect(wrong == nil)
  }
}

extension Table {
  /// The value of a column in every row.
  fileprivate func values(of path: ObjectKeyPath) throws -> [Value] {
    switch try column(path, cancellation: Cancellation()) {
    case .coded(let codes, let values): (0..<codes.count).map { values[codes[$0]] }
    case .keyed: try objects(at: Array(0..<count)).map { path.evaluate(on: $0) }
    }
  }
}
