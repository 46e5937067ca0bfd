internal import CScan
import Synchronization

/// A column while it is decoded by several workers, each of which writes the rows of its pieces.
///
/// Cells are numbered by a dictionary until most prove distinct. From then on all workers keep the
/// rows otherwise; what they have numbered before is made the same in the end.
///
/// Sendable although unchecked: a row is written only by the worker that has its piece, and a
/// worker's state only by that worker.
final class ColumnTarget: @unchecked Sendable {
  enum Width {
    /// Codes of 16 bits, 0 for an empty cell.
    case narrow
    /// Codes of 32 bits, 0 for an empty cell.
    case wide

    var bytes: Int {
      switch self {
      case .narrow: 2
      case .wide: 4
      }
    }
  }

  /// How rows are kept.
  enum Form: UInt8, AtomicRepresentable {
    /// As codes of a worker's dictionary.
    case codes
    /// Each row's own text.
    case texts
    /// As order-preserving keys of 64 bits.
    case keys
  }

  /// Numbers and dates with more distinct cells than this become keys.
  static let mostCodedNumbers = 1 << 14
  /// Strings with more distinct cells than this are kept as texts: each row's own when most differ.
  static let mostCodedStrings = 1 << 12

  /// What one worker has of the column.
  final class Worker {
    let dictionary = ByteDictionary()
    /// How many rows were numbered by the dictionary.
    fileprivate(set) var codedRows = 0
    /// The size of the dictionary at which it is next asked whether it is worth having.
    fileprivate(set) var nextCheck = ColumnTarget.mostCodedStrings
    /// The row of the piece at hand from which on rows are no codes.
    fileprivate var firstUncoded: Int?
    fileprivate let texts = TextWriter()
    fileprivate var keys: NumericKeyMemory?
  }

  /// Rows decoded together.
  struct Piece {
    enum Content {
      case codes
      case texts([TextBlock])
      case keys
    }
    var rows: Range<Int>
    var worker: Int
    var content: Content
  }

  let position: Int
  let width: Width
  /// The type of the column when it was declared.
  let declared: ColumnType?
  /// Of which keys a column of many distinct cells may be made.
  let kind: NumericKind?
  let rows: Int
  let memory: UnsafeMutableRawPointer
  let workers = WorkerSlots<Worker>(Parallel.workers)
  private let pieces = Mutex<[Piece]>([])
  private let overflow = Atomic<Bool>(false)
  /// What is kept from now on; it changes once.
  private let currentForm = Atomic<Form>(.codes)
  private let sharedKeys = Mutex<NumericKeyMemory?>(nil)

  /// Whether the cells did not fit; what was decoded is of no use then.
  var didOverflow: Bool { overflow.load(ordering: .relaxed) }
  var form: Form { currentForm.load(ordering: .relaxed) }

  init(rows: Int, width: Width, position: Int, kind: NumericKind?, declared: ColumnType?) {
    self.rows = rows
    self.width = width
    self.position = position
    self.kind = kind
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
    let worker = workers.value(worker) { Worker() }
    let form = form
    if form != .codes, worker.firstUncoded == nil { worker.firstUncoded = firstRow }
    switch form {
    case .codes:
      let fits = encode(
        fields, count: count, stride: stride, of: bytes, at: firstRow, with: worker.dictionary)
      worker.codedRows += count
      guard fits else { return giveUp() }
      if worker.dictionary.count > worker.nextCheck { reconsider(worker, cells) }
    case .texts:
      worker.texts.append(fields, count: count, stride: stride, of: bytes, cells: cells)
    case .keys:
      let target = keys(worker).keys.baseAddress
      guard let kind, let target,
        kind.encode(
          fields, count: count, stride: stride, of: bytes, into: target + firstRow, cells: cells)
      else { return giveUp() }
    }
  }

  /// Remembers who decoded rows.
  func note(rows: Range<Int>, worker number: Int) {
    let worker = workers[number]
    let end = worker?.firstUncoded ?? rows.upperBound
    var added = [Piece(rows: rows.lowerBound..<end, worker: number, content: .codes)]
    if let worker, end < rows.upperBound {
      let content = form == .texts ? Piece.Content.texts(worker.texts.finish()) : .keys
      added.append(Piece(rows: end..<rows.upperBound, worker: number, content: content))
    }
    worker?.firstUncoded = nil
    pieces.withLock { $0 += added.filter { !$0.rows.isEmpty } }
  }

  var decodedPieces: [Piece] { pieces.withLock { $0 } }

  func giveUp() { overflow.store(true, ordering: .relaxed) }

  /// The keys of all rows, in memory that is there once it is asked for.
  var keys: NumericKeyMemory {
    sharedKeys.withLock { keys in
      let memory = keys ?? NumericKeyMemory(rows: rows)
      keys = memory
      return memory
    }
  }

  private func keys(_ worker: Worker) -> NumericKeyMemory {
    if let keys = worker.keys { return keys }
    let keys = keys
    worker.keys = keys
    return keys
  }
}

extension ColumnTarget {
  private func encode(
    _ fields: UnsafePointer<ds_field>, count: Int, stride: Int, of bytes: UnsafePointer<UInt8>,
    at firstRow: Int, with dictionary: ByteDictionary
  ) -> Bool {
    switch width {
    case .narrow:
      let codes = memory.assumingMemoryBound(to: UInt16.self) + firstRow
      return dictionary.encode(fields, count: count, stride: stride, of: bytes, into: codes)
    case .wide:
      let codes = memory.assumingMemoryBound(to: UInt32.self) + firstRow
      return dictionary.encode(fields, count: count, stride: stride, of: bytes, into: codes)
    }
  }

  /// Gives the dictionary up when it has many numbers, or most cells are distinct, and nothing but
  /// strings for sure.
  private func reconsider(_ worker: Worker, _ cells: CellReader) {
    let count = worker.dictionary.count
    if let kind, count > Self.mostCodedNumbers {
      guard keys(of: worker.dictionary, as: kind, cells: cells) != nil else { return giveUp() }
      return change(to: .keys)
    }
    // Codes of texts have 32 bits.
    if count * 2 > worker.codedRows, rows <= Int(UInt32.max), isOfStrings(worker, cells) {
      return change(to: .texts)
    }
    worker.nextCheck = kind == nil ? count * 2 : min(count * 2, Self.mostCodedNumbers)
  }

  /// Another worker may have been first.
  private func change(to form: Form) {
    _ = currentForm.compareExchange(expected: .codes, desired: form, ordering: .relaxed)
  }

  /// Cells that fit no other type still do not when there are more of them.
  private func isOfStrings(_ worker: Worker, _ cells: CellReader) -> Bool {
    if let declared { return declared == .string }
    let tally = tally(worker.dictionary, cells: cells)
    return tally.count > 0 && tally.type == .string
  }
}
