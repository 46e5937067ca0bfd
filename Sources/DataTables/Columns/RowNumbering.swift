/// A number for each row of a table, for loops over all rows.
///
/// A generic type where a closure would do: a loop within a closure that several threads run calls
/// another closure for each row, and takes several times as long.
protocol RowNumbering {
  func number(of row: Int) -> Int
}

/// The codes of a column.
struct CodeNumbering<Code: FixedWidthInteger>: RowNumbering, @unchecked Sendable {
  let codes: UnsafeBufferPointer<Code>

  @inline(__always) func number(of row: Int) -> Int { Int(codes[row]) }
}

/// The numbers of the rows themselves.
struct NaturalNumbering: RowNumbering {
  @inline(__always) func number(of row: Int) -> Int { row }
}

/// A number for each number of another numbering: the bucket or the group of a code.
struct MappedNumbering<Base: RowNumbering, Number: FixedWidthInteger>: RowNumbering {
  let base: Base
  let numbers: UnsafeBufferPointer<Number>

  @inline(__always) func number(of row: Int) -> Int { Int(numbers[base.number(of: row)]) }
}

/// A use of the numbers of all rows.
protocol RowNumberingUse {
  associatedtype Result
  func callAsFunction(_ numbering: some RowNumbering) -> Result
}

extension RowCodes {
  /// Calls `use` with the codes, or with the numbers that `numbers` has for them.
  func numbering<Use: RowNumberingUse, Number: FixedWidthInteger>(
    _ numbers: [Number]?, _ use: Use
  ) -> Use.Result {
    switch self {
    case .narrow(let codes):
      codes.withUnsafeBufferPointer { Self.mapped(CodeNumbering(codes: $0), numbers, use) }
    case .wide(let codes):
      codes.withUnsafeBufferPointer { Self.mapped(CodeNumbering(codes: $0), numbers, use) }
    case .natural: Self.mapped(NaturalNumbering(), numbers, use)
    }
  }

  private static func mapped<Use: RowNumberingUse, Number: FixedWidthInteger>(
    _ base: some RowNumbering, _ numbers: [Number]?, _ use: Use
  ) -> Use.Result {
    guard let numbers else { return use(base) }
    return numbers.withUnsafeBufferPointer { use(MappedNumbering(base: base, numbers: $0)) }
  }
}
