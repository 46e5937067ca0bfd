import TestSupport
import Testing

@testable import DataTables

/// Summaries of some rows, compared with those of the objects one by one.
@Suite struct KeySummaryTests {
  private static let makers: [@Sendable (inout SplitMix64) -> Value] = [
    { $0.below(4) == 0 ? nil : .integer($0.below(9)) },
    { .integer(Int(truncatingIfNeeded: $0.next() >> 4)) },
    { $0.below(9) == 0 ? nil : .real(Real(Double($0.next()) / 3)) },
    { .string("text \($0.next())") },
    { [1, Value(literal: "1.0"), "1", nil, true][$0.below(5)] },
    { ["é", "e\u{301}", "e", "f"][$0.below(4)] },
    { _ in nil },
  ]

  @Test func aSummaryIsThatOfTheRows() throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SplitMix64(seed: seed)
    for _ in 0..<25 {
      let maker = random.one(of: Self.makers)
      let values = (0..<[3, 300, 30_000][random.below(3)]).map { _ in maker(&random) }
      let rows = (0..<random.below(values.count)).map { _ in UInt32(random.below(values.count)) }
      for table in try Self.tables(values) {
        for order in [RowOrder.natural(values.count), .rows(rows)] {
          let summary = try table.summary(of: ObjectKeyPath(key: "key"), in: order)
          let chosen = (0..<order.count).map { values[order[$0]] }
          let known = chosen.filter { !$0.isNull }
          #expect(summary.nulls == chosen.count - known.count, "seed \(seed)")
          #expect(summary.distinct == Set(known).count, "seed \(seed)")
          let least = known.reduce(nil as Value?) { least, value in
            least.map { value.compare($0) == .before ? value : $0 } ?? value
          }
          let greatest = known.reduce(nil as Value?) { greatest, value in
            greatest.map { value.compare($0) == .after ? value : $0 } ?? value
          }
          #expect(summary.least == least, "seed \(seed)")
          #expect(summary.greatest == greatest, "seed \(seed)")
        }
      }
    }
  }

  /// The same values as objects and as a column of cells.
  private static func tables(_ values: [Value]) throws -> [any Table] {
    let objects = ValueTable(values.map { .record(Record([("key", $0)])) })
    let builder = ColumnBuilder(.plain)
    let batch = CellBatch(columns: 1)
    for value in values {
      switch value {
      case .integer(let integer): batch.set(0, integer: Int64(integer))
      case .real(let real): batch.set(0, real: real.value)
      case .string(var text): text.withUTF8 { batch.set(0, text: UnsafeRawBufferPointer($0)) }
      case .null: batch.setNull(0)
      default: return [objects]
      }
      batch.endRow()
      if batch.isFull {
        builder.append(batch, column: 0)
        batch.removeAll()
      }
    }
    builder.append(batch, column: 0)
    let column = try ColumnBuilder.column(joining: [builder])
    return [objects, ColumnTable(keys: ["key"], columns: [column], count: values.count)]
  }
}
