/// A key path evaluated over all rows of a table.
public enum KeyColumn: Sendable {
  /// Rows share distinct values. `values` may hold equal values twice, written differently (1.5 and
  /// 1.50), and where every row has a value of its own (``RowCodes/natural(_:)``) just any; index 0
  /// need not be null.
  case coded(RowCodes, values: DistinctValues)
  /// Mostly different numbers or dates, in an order-preserving form.
  case keyed(NumericColumn)

  /// That of a table without rows.
  static let empty = KeyColumn.coded(.narrow([]), values: [])
}

/// One small number a row.
public enum RowCodes: Sendable {
  case narrow([UInt16])
  case wide([UInt32])
  /// So many rows, the number of each being that of the row.
  case natural(Int)

  public var count: Int {
    switch self {
    case .narrow(let codes): codes.count
    case .wide(let codes): codes.count
    case .natural(let count): count
    }
  }

  public subscript(row: Int) -> Int {
    switch self {
    case .narrow(let codes): Int(codes[row])
    case .wide(let codes): Int(codes[row])
    case .natural: row
    }
  }
}

/// Numbers or dates, one 64-bit key a row, ascending as the values do.
public struct NumericColumn: Sendable {
  public enum Kind: Sendable { case integer, real, date }
  public let kind: Kind
  /// `UInt64.max` stands for null.
  public let keys: NumericKeys

  init(kind: Kind, keys: NumericKeys) {
    self.kind = kind
    self.keys = keys
  }

  init(kind: Kind, keys: some Collection<UInt64>) {
    self.init(kind: kind, keys: NumericKeys(keys))
  }
}
