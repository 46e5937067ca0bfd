import TestSupport

@testable import DataTables

/// The rows of lines as strings, and the lines that are rejected, from 1.
struct LineReading: Equatable {
  var rows: [[String?]] = []
  var rejected: [Int] = []

  init() {}

  /// Reads a text through small windows and chunks.
  init(_ text: [UInt8], _ fields: any LineFields, keys: [String], sizes: ScanSizes) throws {
    let store = MemoryBytes(text)
    let dialect = Dialect(lines: fields)
    let index = try RowIndex(
      store, from: 0, dialect: dialect, columns: keys.count, limits: ReadLimits(), sizes: sizes,
      cancellation: Cancellation())
    var options = ReadOptions()
    for key in keys { options.types[key] = .string }
    let table = DelimitedTable(
      store: store, dialect: dialect, shape: Record.Shape(keys), index: index,
      forms: keys.map { _ in CellForm(.string) }, options: options, sizes: sizes)
    rows = try table.objects(at: Array(0..<table.count)).map { object in
      guard case .record(let record) = object else { return [] }
      return record.values.map(Self.string)
    }
    for (column, key) in keys.enumerated() where table.count > 0 {
      let decoded = try table.column(ObjectKeyPath(key: key), cancellation: Cancellation())
      guard case .coded(let codes, let values) = decoded else { continue }
      for row in rows.indices where Self.string(values[codes[row]]) != rows[row][column] {
        rows[row][column] = "the column differs from the object"
      }
    }
    var lines = LineCounter(store, dialect: dialect.kernel)
    rejected = try index.chunks.flatMap(\.findings.rejects).map { try lines.line(at: $0.offset) }
  }

  private static func string(_ value: Value) -> String? {
    switch value {
    case .null: nil
    case .string(let string): string
    case .date(let date): date.text
    default: value.json
    }
  }

  static func randomSizes(_ random: inout SplitMix64) -> ScanSizes {
    ScanSizes(
      chunk: Int.random(in: 1...400, using: &random),
      window: Int.random(in: 16...256, using: &random))
  }
}
