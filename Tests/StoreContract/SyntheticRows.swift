package import DataTables

/// Records whose values are computed from their position: with ties, nulls, several types, mixed case
/// and letters of several bytes. None is held.
package struct SyntheticRows: Sendable {
  package static let keys = ["id", "name", "city", "age", "price", "born", "active"]
  private static let names = [
    "Åse", "anna", "Anna", "Zoë", "zoe", "item 10", "item 9", "Ötzi", "", "ben", "Ben", "émile",
    "Emil", "日本", "#7", "7up",
  ]
  private static let cities = ["Oslo", "Rome", "oslo", "Åbo", "Bern", "Lund"]

  package let count: Int
  /// Contents with other versions have some other rows, and other values in some rows.
  package let version: Int

  package init(_ count: Int, version: Int = 0) {
    self.count = count
    self.version = version
  }

  /// The key of the row at a position; each version leaves out other keys.
  package func id(at position: Int) -> Int { position + position / (31 + version * 6) }

  package func values(at position: Int) -> [Value] {
    let id = id(at: position)
    func number(_ column: UInt64, below bound: Int) -> Int {
      var mixed = (UInt64(id) &* 7 &+ column) &* 0x9E37_79B9_7F4A_7C15
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed ^= mixed >> 27
      return Int(mixed % UInt64(bound))
    }
    func isNull(_ column: UInt64) -> Bool { number(column + 100, below: 11) == 0 }
    let isEdited = id % 29 < version
    let day = number(5, below: 28) + 1
    let month = number(6, below: 12) + 1
    let date = "\(1990 + number(7, below: 3))-\(month < 10 ? "0" : "")\(month)-"
    return [
      .integer(id),
      isNull(1) ? .null : .string(Self.names[number(1, below: Self.names.count)]),
      isNull(2) ? .null : .string(Self.cities[number(isEdited ? 20 : 2, below: 6)]),
      isNull(3) ? .null : .integer(number(isEdited ? 30 : 3, below: 60)),
      isNull(4) ? .null : .real(Real(Double(number(4, below: 400)) / 4)),
      isNull(5) ? .null : Value(literal: date + "\(day < 10 ? "0" : "")\(day)"),
      isNull(6) ? .null : .bool(number(8, below: 2) == 1),
    ]
  }

  /// The record at a position. Its shape is its own, so that it can be observed whether it is held.
  package func object(at position: Int) -> Value {
    .record(Record(shape: Record.Shape(Self.keys), values: values(at: position)))
  }

  /// All records.
  package var table: ValueTable {
    ValueTable((0..<count).map(object(at:)), keys: Self.keys)
  }
}
