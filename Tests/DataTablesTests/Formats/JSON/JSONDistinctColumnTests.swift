import Testing

@testable import DataTables

/// Columns of mostly distinct values, which are stored as texts or keys and not with a dictionary.
struct JSONDistinctColumnTests {
  private static let path = ObjectKeyPath(key: "v")

  private func table(_ values: [String?]) throws -> any Table {
    let lines = values.map { value in value.map { "{\"v\":\($0)}" } ?? "{}" }
    return try NDJSONFormat().read(
      FormatInput(
        name: "",
        bytes: MemoryBytes(Array(("{\"v\":null}\n" + lines.joined(separator: "\n")).utf8)))
    ).table
  }

  /// The value of the column in every row.
  private func values(_ table: any Table) throws -> [Value] {
    switch try table.column(Self.path, cancellation: Cancellation()) {
    case .coded(let codes, let values): (0..<codes.count).map { values[codes[$0]] }
    case .keyed(let column): column.keys.map { column.value(of: $0) }
    }
  }

  private func objects(_ table: any Table) throws -> [Value] {
    try table.objects(at: Array(0..<table.count)).map { Self.path.evaluate(on: $0) }
  }

  @Test func stringsAreStoredAsTexts() throws {
    let written: [String?] = (0..<12_000).map { row in
      switch row % 9 {
      case 0: nil
      case 1: "null"
      case 2: "\"\""
      case 3: "\"line \(row)\\n\\u00e9 \\\"x\\\"\""
      case 4: "\"é \(row)\""
      default: "\"\(row)\""
      }
    }
    let table = try table(written)
    guard
      case .coded(_, let values) = try table.column(
        Self.path, cancellation: Cancellation()), case .texts = values.storage
    else {
      Issue.record("the column is not stored as texts")
      return
    }
    #expect(try self.values(table) == objects(table))
    #expect(try table.report(on: "v", cancellation: Cancellation()).type == .string)
  }

  @Test(arguments: [1, 2, 3])
  func numbersAreStoredAsKeys(_ kinds: Int) throws {
    // Only integers, reals from a row on, or reals in every second row.
    let written: [String?] = (0..<18_000).map { row in
      if row % 50 == 0 { return nil }
      let isReal = kinds == 2 ? row > 10_000 : kinds == 3 && row % 2 == 0
      return isReal ? "\(row).25" : String(row * 3 - 100)
    }
    let table = try table(written)
    guard case .keyed(let column) = try table.column(Self.path, cancellation: Cancellation()) else {
      Issue.record("the column is not stored as keys")
      return
    }
    #expect(column.kind == (kinds == 1 ? .integer : .real))
    #expect(try values(table) == objects(table))
  }

  @Test(arguments: ["true", "[1]", "{\"a\":1}", "\"x\"", "12345678901234567890123", "7"])
  func anOutlierAtTheEndKeepsEveryValue(_ outlier: String) throws {
    for quote in ["\"", ""] {
      var written: [String?] = (0..<9_000).map { "\(quote)\($0)\(quote)" }
      written.append(outlier)
      let table = try table(written)
      #expect(try values(table) == objects(table), "\(quote)")
    }
  }

  @Test func integersTooLargeForADoubleMixWithReals() throws {
    var written: [String?] = (0..<9_000).map { String(9_007_199_254_740_993 + $0) }
    written.append("0.5")
    let table = try table(written)
    #expect(try values(table) == objects(table))
  }
}
