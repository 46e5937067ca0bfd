/// Rows of a table in some order; they need not be all of its rows.
public enum RowOrder: Sendable {
  /// All rows as they stand in the table.
  case natural(Int)
  /// These rows, in this order.
  case rows([UInt32])

  public var count: Int {
    switch self {
    case .natural(let count): count
    case .rows(let rows): rows.count
    }
  }

  /// The row at a position.
  /// - Precondition: `position` is in `0..<count`.
  public subscript(position: Int) -> Int {
    switch self {
    case .natural: position
    case .rows(let rows): Int(rows[position])
    }
  }
}
