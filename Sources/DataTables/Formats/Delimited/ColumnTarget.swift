internal import CScan
import Synchronization

/// A column while it is decoded by several workers, each of which writes the rows of its pieces.
///
/// Sendable although unchecked: a row is written only by the worker that has its piece, and a
/// worker's dictionary only by that worker.
final class ColumnTarget: @unchecked Sendable {
  enum Width {
    /// Codes of 16 bits, 0 for an empty cell.
    case narrow
    /// Codes of 32 bits, 0 for an empty cell.
    case wide
    /// Order-preserving keys of 64 bits.
    case keyed(NumericKind)

    var bytes: Int {
      switch self {
      case .narrow: 2
      case .wide: 4
      case .keyed: 8
      }
    }
  }

  /// Numbers and dates with more distinct cells than this become keys.
  static let mostCodedNumbers = 1 << 14

  let position: Int
  let width: Width
  /// Whether a column of many distinct cells would rather be keys.
  let prefersKeys: Bool
  let rows: Int
  let memory: UnsafeMutableRawPointer
  let dictionaries = WorkerSlots<ByteDictionary>(Parallel.workers)
  private let pieces = Mutex<[Piece]>([])
  private let overflow = Atomic<Bool>(false)

  struct Piece {
    var rows: Range<Int>
    var worker: Int
  }

  /// Whether the cells did not fit the width; what was decoded is of no use then.
  var didOverflow: Bool { overflow.load(ordering: .relaxed) }

  init(rows: Int, width: Width, position: Int, prefersKeys: Bool) {
    self.rows = rows
    self.width = width
    self.position = position
    self.prefersKeys = prefersKeys
    memory = .allocate(byteCount: max(1, rows * width.bytes), alignment: 64)
  }

  deinit { memory.deallocate() }

  /// Takes a column of fields as the rows from `firstRow` on.
  func take(
    _ fields: UnsafePointer<ds_field>, count: Int, stride: Int, bytes: UnsafePointer<UInt8>,
    firstRow: Int, worker: Int, cells: CellReader
  ) {
    let fits: Bool
    switch width {
    case .narrow:
      let codes = memory.assumingMemoryBound(to: UInt16.self) + firstRow
      let dictionary = dictionaries.value(worker) { ByteDictionary() }
      fits =
        dictionary.encode(fields, count: count, stride: stride, of: bytes, into: codes)
        && !(prefersKeys && dictionary.count > Self.mostCodedNumbers)
    case .wide:
      let codes = memory.assumingMemoryBound(to: UInt32.self) + firstRow
      let dictionary = dictionaries.value(worker) { ByteDictionary() }
      fits = dictionary.encode(fields, count: count, stride: stride, of: bytes, into: codes)
    case .keyed(let kind):
      let keys = memory.assumingMemoryBound(to: UInt64.self) + firstRow
      fits = kind.encode(
        fields, count: count, stride: stride, of: bytes, into: keys, cells: cells)
    }
    if !fits { overflow.store(true, ordering: .relaxed) }
  }

  /// Remembers who decoded rows.
  func note(rows: Range<Int>, worker: Int) {
    pieces.withLock { $0.append(Piece(rows: rows, worker: worker)) }
  }

  var decodedPieces: [Piece] { pieces.withLock { $0 } }
}
