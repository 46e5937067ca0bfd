internal import CScan
import Synchronization

/// A column while it is decoded by several workers, each of which writes the rows of its pieces.
///
/// Sendable although unchecked: a row is written only by the worker that has its piece, and a
/// worker's state only by that worker.
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
  /// Strings with more distinct cells than this are kept as texts: each row's own when most differ.
  static let mostCodedStrings = 1 << 12

  /// What one worker has of the column.
  final class Worker {
    let dictionary = ByteDictionary()
    /// How many rows were numbered by the dictionary.
    fileprivate var codedRows = 0
    /// The size of the dictionary at which it is next asked whether it is worth having.
    fileprivate var nextCheck = ColumnTarget.mostCodedStrings
    /// The first row of the piece at hand that is kept as text, as all behind it are.
    fileprivate var firstText: Int?
    fileprivate let writer = TextWriter()
  }

  /// Rows decoded together.
  struct Piece {
    var rows: Range<Int>
    var worker: Int
    /// The rows as texts; nil when they are codes of the worker's dictionary, or keys.
    var texts: [TextBlock]?
  }

  let position: Int
  let width: Width
  /// The type of the column when it was declared.
  let declared: ColumnType?
  /// Whether a column of many distinct cells would rather be keys.
  let prefersKeys: Bool
  let rows: Int
  let memory: UnsafeMutableRawPointer
  let workers = WorkerSlots<Worker>(Parallel.workers)
  private let pieces = Mutex<[Piece]>([])
  private let overflow = Atomic<Bool>(false)
  /// Whether rows are kept as texts from now on.
  private let isTexts = Atomic<Bool>(false)

  /// Whether the cells did not fit the width; what was decoded is of no use then.
  var didOverflow: Bool { overflow.load(ordering: .relaxed) }

  init(rows: Int, width: Width, position: Int, prefersKeys: Bool, declared: ColumnType?) {
    self.rows = rows
    self.width = width
    self.position = position
    self.prefersKeys = prefersKeys
    self.declared = declared
    let memory = LargePages.allocate(UInt8.self, capacity: max(1, rows * width.bytes))
    self.memory = UnsafeMutableRawPointer(memory.baseAddress.unsafelyUnwrapped)
  }

  deinit { memory.deallocate() }

  /// Takes a column of fields as the rows from `firstRow` on.
  func take(
    _ fields: UnsafePointer<ds_field>, count: Int, stride: Int, bytes: UnsafePointer<UInt8>,
    firstRow: Int, worker: Int, cells: CellReader
  ) {
    let fits: Bool
    switch width {
    case .keyed(let kind):
      let keys = memory.assumingMemoryBound(to: UInt64.self) + firstRow
      fits = kind.encode(
        fields, count: count, stride: stride, of: bytes, into: keys, cells: cells)
    case .narrow, .wide:
      let worker = workers.value(worker) { Worker() }
      if isTexts.load(ordering: .relaxed) {
        if worker.firstText == nil { worker.firstText = firstRow }
        worker.writer.append(fields, count: count, stride: stride, of: bytes, cells: cells)
        return
      }
      fits = encode(
        fields, count: count, stride: stride, of: bytes, at: firstRow, with: worker.dictionary)
      worker.codedRows += count
      if worker.dictionary.count > worker.nextCheck { check(worker, cells) }
    }
    if !fits, !isTexts.load(ordering: .relaxed) { overflow.store(true, ordering: .relaxed) }
  }

  /// Remembers who decoded rows.
  func note(rows: Range<Int>, worker number: Int) {
    var added = [Piece(rows: rows, worker: number)]
    if let worker = workers[number], let first = worker.firstText {
      added = [
        Piece(rows: rows.lowerBound..<first, worker: number),
        Piece(rows: first..<rows.upperBound, worker: number, texts: worker.writer.finish()),
      ]
      worker.firstText = nil
    }
    pieces.withLock { $0 += added.filter { !$0.rows.isEmpty } }
  }

  var decodedPieces: [Piece] { pieces.withLock { $0 } }
}

extension ColumnTarget {
  private func encode(
    _ fields: UnsafePointer<ds_field>, count: Int, stride: Int, of bytes: UnsafePointer<UInt8>,
    at firstRow: Int, with dictionary: ByteDictionary
  ) -> Bool {
    if case .narrow = width {
      let codes = memory.assumingMemoryBound(to: UInt16.self) + firstRow
      return dictionary.encode(fields, count: count, stride: stride, of: bytes, into: codes)
        && !(prefersKeys && dictionary.count > Self.mostCodedNumbers)
    }
    let codes = memory.assumingMemoryBound(to: UInt32.self) + firstRow
    return dictionary.encode(fields, count: count, stride: stride, of: bytes, into: codes)
  }

  /// Gives the dictionary up when most cells are distinct, and nothing but strings for sure.
  private func check(_ worker: Worker, _ cells: CellReader) {
    let count = worker.dictionary.count
    // Codes of texts have 32 bits.
    guard count * 2 > worker.codedRows, rows <= Int(UInt32.max), isOfStrings(worker, cells) else {
      worker.nextCheck = count * 2
      return
    }
    isTexts.store(true, ordering: .relaxed)
  }

  /// Cells that fit no other type still do not when there are more of them.
  private func isOfStrings(_ worker: Worker, _ cells: CellReader) -> Bool {
    if let declared { return declared == .string }
    let tally = tally(worker.dictionary, cells: cells)
    return tally.count > 0 && tally.type == .string
  }
}
