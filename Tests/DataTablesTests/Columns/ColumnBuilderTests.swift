import TestSupport
import Testing

@testable import DataTables

/// Columns that are built from cells, compared with the values of the cells.
@Suite struct ColumnBuilderTests {
  private enum Cell {
    case null, integer(Int64), real(Double)
    case text([UInt8])
    case data([UInt8])

    func value(_ meaning: ColumnBuilder.Meaning) -> Value {
      switch self {
      case .null: return .null
      case .integer(let integer):
        return meaning == .bools && (integer == 0 || integer == 1)
          ? .bool(integer == 1) : .integer(Int(integer))
      case .real(let real): return .real(Real(real))
      case .data(let bytes): return .data(bytes)
      case .text(let bytes):
        if meaning == .dates, let date = bytes.withUnsafeBytes({ Scalar.date($0) }) {
          return .date(date)
        }
        return String(validating: bytes, as: UTF8.self).map(Value.string) ?? .data(bytes)
      }
    }
  }

  private static let makers: [@Sendable (inout SplitMix64) -> Cell] = [
    { _ in .null },
    { $0.below(8) == 0 ? .null : .integer(Int64($0.below(7)) - 3) },
    { .integer(Int64(bitPattern: $0.next())) },
    { $0.below(3) == 0 ? .integer(.max) : .integer(.min) },
    { .real(Double($0.below(5)) / 2) },
    { $0.below(50) == 0 ? .null : .real(Double($0.next()) / 3) },
    { $0.below(2) == 0 ? .real(-0.0) : .real(0) },
    { .text(Array("text \($0.below(9))".utf8)) },
    { $0.below(9) == 0 ? .null : .text(Array("a longer text with the number \($0.next())".utf8)) },
    { $0.below(2) == 0 ? .text([0x61, 0xFF]) : .text([]) },
    { .data(Array("\($0.below(4))".utf8)) },
    { .text(Array("2024-0\(1 + $0.below(9))-01".utf8)) },
    { .text(Array("é\u{301}日本\($0.next())".utf8)) },
  ]

  @Test(arguments: [ColumnBuilder.Meaning.plain, .bools, .dates])
  func aColumnHasTheValuesOfItsCells(meaning: ColumnBuilder.Meaning) throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SplitMix64(seed: seed)
    for _ in 0..<70 {
      var expected: [Value] = []
      var parts: [ColumnBuilder] = []
      // Mostly one kind of cells, so that all forms of parts meet.
      let usual = random.below(Self.makers.count)
      for _ in 0..<random.below(4) {
        let builder = ColumnBuilder(meaning)
        let batch = CellBatch(columns: 1)
        var maker = Self.makers[random.below(5) == 0 ? random.below(Self.makers.count) : usual]
        for _ in 0..<[0, 10, 300, 20_000][random.below(4)] {
          if random.below(3_000) == 0 { maker = Self.makers[random.below(Self.makers.count)] }
          let cell = maker(&random)
          Self.set(cell, batch)
          expected.append(cell.value(meaning))
          if batch.isFull {
            builder.append(batch, column: 0)
            batch.removeAll()
          }
        }
        builder.append(batch, column: 0)
        parts.append(builder)
      }
      let column = try ColumnBuilder.column(joining: parts)
      let table = ColumnTable(keys: ["a"], columns: [column], count: expected.count)
      try #require(column.count == expected.count)
      for (row, value) in expected.enumerated() {
        guard case .record(let record) = table.object(at: row) else { continue }
        if !record.values[0].isWritten(like: value) || record.values[0] != value {
          Issue.record("row \(row): \(record.values[0].json), not \(value.json), seed \(seed)")
          return
        }
      }
    }
  }

  private static func set(_ cell: Cell, _ batch: CellBatch) {
    switch cell {
    case .null: batch.setNull(0)
    case .integer(let integer): batch.set(0, integer: integer)
    case .real(let real): batch.set(0, real: real)
    case .text(let bytes): bytes.withUnsafeBytes { batch.set(0, text: $0) }
    case .data(let bytes): bytes.withUnsafeBytes { batch.set(0, data: $0) }
    }
    batch.endRow()
  }

  @Test func numbersWithManyValuesAreKeyed() throws {
    let builder = ColumnBuilder(.plain)
    let batch = CellBatch(columns: 1)
    for row in 0..<100_000 {
      batch.set(0, integer: Int64(row))
      batch.endRow()
      if batch.isFull {
        builder.append(batch, column: 0)
        batch.removeAll()
      }
    }
    builder.append(batch, column: 0)
    guard case .keyed(let column) = try ColumnBuilder.column(joining: [builder]) else {
      Issue.record("the column is coded")
      return
    }
    #expect(column.kind == .integer)
    #expect(column.keys.count == 100_000)
  }

  @Test func batchesOfLargeTextsAreLimited() {
    let batch = CellBatch(columns: 1)
    let large = [UInt8](repeating: 0x61, count: 1 << 20)
    var rows = 0
    while !batch.isFull {
      large.withUnsafeBytes { batch.set(0, text: $0) }
      batch.endRow()
      rows += 1
    }
    #expect(rows == 4)
  }
}
