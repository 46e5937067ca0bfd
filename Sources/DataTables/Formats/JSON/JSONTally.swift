/// The number of values of each kind that a key has, and the first position of each kind.
struct JSONTally: Sendable {
  enum Kind: Int, CaseIterable {
    case integer, real, bool, string, date, record, array

    /// nil for a type of mixed values.
    init?(_ type: ColumnType) {
      switch type {
      case .integer: self = .integer
      case .real: self = .real
      case .bool: self = .bool
      case .string: self = .string
      case .date: self = .date
      case .value: return nil
      }
    }
  }

  private var counts = [Int](repeating: 0, count: Kind.allCases.count)
  /// Row numbers or offsets, as passed to `add`.
  private var firsts = [Int](repeating: .max, count: Kind.allCases.count)

  /// The kind of a value by its bytes; nil for null.
  static func kind(of value: UnsafeRawBufferPointer) -> Kind? {
    switch value.first {
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "{"): .record
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
    case UInt8(ascii: "n"), nil: nil
    default: Scalar.integer(value) == nil ? .real : .integer
    }
  }

  static func kind(of value: Value) -> Kind? {
    switch value {
    case .null: nil
    case .bool: .bool
    case .integer: .integer
    case .real: .real
    case .string, .data: .string
    case .date: .date
    case .array: .array
    case .record: .record
    }
  }

  mutating func add(_ kind: Kind, count: Int = 1, at position: Int) {
    counts[kind.rawValue] += count
    firsts[kind.rawValue] = min(firsts[kind.rawValue], position)
  }

  var isEmpty: Bool { counts.allSatisfy { $0 == 0 } }

  /// The type of the values that are neither arrays nor records; nil if there are none.
  var scalarType: ColumnType? {
    switch Set([Kind.integer, .real, .bool, .string, .date].filter { counts[$0.rawValue] > 0 }) {
    case []: nil
    case [.integer]: .integer
    case [.real], [.integer, .real]: .real
    case [.bool]: .bool
    case [.string]: .string
    case [.date]: .date
    default: .value
    }
  }

  var type: ColumnType {
    switch Set(Kind.allCases.filter { counts[$0.rawValue] > 0 }) {
    case []: .string
    case [.integer]: .integer
    case [.real], [.integer, .real]: .real
    case [.bool]: .bool
    case [.string]: .string
    case [.date]: .date
    default: .value
    }
  }

  /// `mixed: 12 numbers, 3 strings, first at line 7`, or `nested records in all 24 rows`; nil for
  /// values of one kind that are not nested.
  ///
  /// - Parameters:
  ///   - rows: the number of rows, nil if only a sample was counted.
  ///   - line: returns the line of a position.
  func evidence(rows: Int?, line: (Int) throws -> Int) rethrows -> String? {
    let nouns: [(String, [Kind])] = [
      ("number", [.integer, .real]), ("bool", [.bool]), ("string", [.string]), ("date", [.date]),
      ("record", [.record]), ("array", [.array]),
    ]
    let found = nouns.map { noun, kinds in
      (
        noun, count: kinds.reduce(0) { $0 + counts[$1.rawValue] },
        first: kinds.map { firsts[$0.rawValue] }.min() ?? .max
      )
    }.filter { $0.count > 0 }.sorted { $0.first < $1.first }
    let parts = found.map { "\($0.count.grouped) \($0.0)\($0.count == 1 ? "" : "s")" }
    if found.count > 1 {
      return "mixed: \(parts.joined(separator: ", ")), first at line \(try line(found[1].first))"
    }
    guard type == .value, let (noun, count, _) = found.first else { return nil }
    guard let rows else { return "nested \(noun)s" }
    if rows == 1 { return "nested \(noun) in 1 row" }
    return "nested \(noun)s in "
      + (count == rows ? "all \(rows.grouped) rows" : "\(count.grouped) of \(rows.grouped) rows")
  }
}
