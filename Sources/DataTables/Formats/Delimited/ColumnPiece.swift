/// Rows of a column that follow each other in the text, as one worker decoded them.
///
/// Sendable although unchecked: what its runs point to is written before it is there.
struct ColumnPiece: @unchecked Sendable {
  /// Rows that are kept alike.
  enum Run {
    /// Codes of the worker's dictionary plus one, 0 for an empty cell.
    case narrow(UnsafeBufferPointer<UInt16>)
    /// The same, where 16 bits do not tell them all.
    case wide(UnsafeBufferPointer<UInt32>)
    case texts([TextBlock])
    case keys(UnsafeBufferPointer<UInt64>)

    var count: Int {
      switch self {
      case .narrow(let codes): codes.count
      case .wide(let codes): codes.count
      case .texts(let blocks): blocks.reduce(0) { $0 + $1.count }
      case .keys(let keys): keys.count
      }
    }
  }

  /// Which piece of the text it is, from 0.
  var number: Int
  var worker: Int
  var runs: [Run]
  /// The number of its first row, once the pieces before it are known.
  var firstRow = 0

  var count: Int { runs.reduce(0) { $0 + $1.count } }
}
