import TestSupport
import Testing

@testable import DataTables

/// Columns of many distinct numbers or dates, which become keys while they are decoded.
struct NumericColumnTests {
  private static let path = ObjectKeyPath(key: "x")
  private static let count = 40_000

  private func cells(_ kind: ColumnType, _ random: inout SplitMix64) -> [String] {
    let few = 1 + random.below(15_000)
    return (0..<Self.count).map { row in
      // Few distinct values first, so that the column is encoded with the dictionary for a while.
      let number = row < few ? random.below(30) : random.below(900_000)
      let cell: String
      switch kind {
      case .integer: cell = "\(number - 400_000)"
      case .real: cell = "\(number / 100).\(10 + number % 90)"
      case .date:
        let minute = 10 + number / 60 % 50
        cell = "20\(10 + number / 40_000)-11-\(10 + number % 20)T10:\(minute):\(10 + number % 50)Z"
      default: cell = "\(number)"
      }
      switch random.below(20) {
      case 0: return ""
      case 1: return "NA"
      case 2: return "\"\(cell)\""
      default: return cell
      }
    }
  }

  /// A table in chunks of a few thousand rows, for several workers.
  private func table(_ cells: [String], seeming type: ColumnType) throws -> DelimitedTable {
    var options = ReadOptions()
    options.nulls = ["NA"]
    let store = MemoryBytes(Array(cells.map { "1,\($0)\n" }.joined().utf8))
    let dialect = Dialect(delimiter: UInt8(ascii: ","))
    let sizes = ScanSizes(chunk: 50_000, window: 20_000)
    let index = try RowIndex(
      store, from: 0, dialect: dialect, columns: 2, limits: options.limits, sizes: sizes,
      cancellation: Cancellation())
    return DelimitedTable(
      store: store, dialect: dialect, shape: Record.Shape(["n", "x"]), index: index,
      forms: [CellForm(.integer), CellForm(type)], options: options, sizes: sizes)
  }

  private func value(_ cell: String) -> Value {
    let text = cell.filter { $0 != "\"" }
    return text.isEmpty || text == "NA" ? nil : Value(literal: text)
  }

  @Test(arguments: [ColumnType.integer, .real, .date], [UInt64(1), 2])
  func everyRowHasItsKey(type: ColumnType, seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let cells = cells(type, &random)
    let table = try table(cells, seeming: type)
    let column = try table.column(Self.path, cancellation: Cancellation())
    guard case .keyed(let keyed) = column, keyed.kind == NumericColumn.Kind(type) else {
      Issue.record("the column has no keys, seed \(seed)")
      return
    }
    let wrong = cells.indices.first { keyed.keys[$0] != keyed.key(of: value(cells[$0])) }
    #expect(wrong == nil, "seed \(seed)")
    let summary = try table.summary(of: Self.path)
    let expected = try ValueTable(cells.map { ["x": value($0)] }).summary(of: Self.path)
    #expect(summary.nulls == expected.nulls, "seed \(seed)")
    #expect(summary.distinct == expected.distinct, "seed \(seed)")
    #expect(summary.least == expected.least, "seed \(seed)")
    #expect(summary.greatest == expected.greatest, "seed \(seed)")
  }

  @Test(arguments: [ColumnType.integer, .real, .date], [10, 20_000, 39_999])
  func aSingleWordMakesAColumnOfNumbersStrings(
    type: ColumnType, row: Int
  ) throws {
    var random = SplitMix64(seed: 4)
    var cells = cells(type, &random)
    cells[row] = "none"
    let table = try table(cells, seeming: type)
    let column = try table.column(Self.path, cancellation: Cancellation())
    guard case .coded(let codes, let values) = column else {
      Issue.record("a word became a key")
      return
    }
    let wrong = cells.indices.first { row in
      let text = cells[row].filter { $0 != "\"" }
      return values[codes[row]] != (text.isEmpty || text == "NA" ? nil : .string(text))
    }
    #expect(wrong == nil)
  }

  @Test func theGreatestOfEqualNumbersIsTheFirst() throws {
    let numbers = (0..<20_000).map { "\($0).5" } + ["70000.50", "70000.5", "70000.500"]
    let summary = try table(numbers, seeming: .real).summary(of: Self.path)
    guard case .real(let greatest)? = summary.greatest else {
      Issue.record("the greatest value is not a number")
      return
    }
    #expect(greatest.text == "70000.50")
    #expect(summary.distinct == 20_001)
  }
}
