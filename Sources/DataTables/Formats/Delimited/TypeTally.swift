/// The number of cells of each type in a column, nulls excluded.
struct TypeTally: Sendable {
  private(set) var integers = 0
  private(set) var reals = 0
  private(set) var bools = 0
  private(set) var dates = 0
  /// Digits with a leading zero, which a number would lose.
  private(set) var leadingZeros = 0
  private(set) var others = 0

  enum Kind { case integer, real, bool, date, leadingZero, other }

  /// The number of cells counted.
  var count: Int { integers + reals + bools + dates + leadingZeros + others }

  @discardableResult
  mutating func add(_ cell: UnsafeRawBufferPointer) -> Kind {
    let kind = Self.kind(of: cell)
    switch kind {
    case .integer: integers += 1
    case .real: reals += 1
    case .bool: bools += 1
    case .date: dates += 1
    case .leadingZero: leadingZeros += 1
    case .other: others += 1
    }
    return kind
  }

  static func kind(of cell: UnsafeRawBufferPointer) -> Kind {
    guard let first = cell.first else { return .other }
    let isDigit = first &- UInt8(ascii: "0") < 10
    if isDigit || first == UInt8(ascii: "-") {
      if Scalar.integer(cell) != nil { return .integer }
      if Scalar.real(cell) != nil { return .real }
      if Scalar.moment(cell) != nil { return .date }
      let isLeadingZero =
        first == UInt8(ascii: "0") && cell.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
      return isLeadingZero ? .leadingZero : .other
    }
    return Scalar.bool(cell) != nil ? .bool : .other
  }

  /// The type that fits all cells as they are written; string if there are none.
  var type: ColumnType {
    switch count {
    case 0: .string
    case integers: .integer
    case integers + reals: .real
    case bools: .bool
    case dates: .date
    default: .string
    }
  }

  var numbers: Int { integers + reals }
}
