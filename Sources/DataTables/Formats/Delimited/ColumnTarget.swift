internal import CScan
import Synchronization

/// A column while it is decoded by several workers, each of which takes pieces of the text.
///
/// Cells are numbered by a dictionary until most prove distinct. From then on all workers keep the
/// rows otherwise; what they have numbered before is made the same in the end.
///
/// Sendable although unchecked: a worker's state is used only by that worker.
final class ColumnTarget: @unchecked Sendable {
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
  /// The codes of a column of texts have 32 bits.
  private static let mostTexts = Int(UInt32.max)

  /// What one worker has of the column.
  final class Worker {
    let dictionary = ByteDictionary()
    /// How many rows were numbered by the dictionary.
    fileprivate(set) var codedRows = 0
    /// The size of the dictionary at which it is next asked whether it is worth having.
    fileprivate(set) var nextCheck = ColumnTarget.mostCodedStrings
    /// Of the piece at hand, besides the texts.
    fileprivate var runs: [ColumnPiece.Run] = []
    fileprivate let texts = TextWriter()
  }

  let position: Int
  /// The type of the column when it was declared.
  let declared: ColumnType?
  /// Of which keys a column of many distinct cells may be made.
  let kind: NumericKind?
  let workers = WorkerSlots<Worker>(Parallel.workers)
  /// The keys of all rows, where their number is known beforehand.
  private let rows: Rows
  private let memory: RunMemory
  private let pieces = Mutex<[ColumnPiece]>([])
  private let overflow = Atomic<Bool>(false)
  /// What is kept from now on; it changes once.
  private let currentForm = Atomic<Form>(.codes)
  private let placedKeys = Mutex<NumericKeyMemory?>(nil)

  /// How many rows are decoded.
  enum Rows {
    /// So many, each of which has its number.
    case known(Int)
    /// About so many: which number a row has is told by the pieces before its own.
    case expected(Int)
  }

  /// Whether the cells did not fit; what was decoded is of no use then.
  var didOverflow: Bool { overflow.load(ordering: .relaxed) }
  var form: Form { currentForm.load(ordering: .relaxed) }

  init(rows: Rows, position: Int, kind: NumericKind?, declared: ColumnType?) {
    self.rows = rows
    self.position = position
    self.kind = kind
    self.declared = declared
    memory =
      switch rows {
      case .known(let count), .expected(let count): RunMemory(expectedRows: count)
      }
  }

  /// Takes a column of fields as the next rows of the piece at hand.
  /// - Parameter firstRow: the number of the first of them, where it is known.
  func take(
    _ fields: UnsafePointer<ds_field>, count: Int, stride: Int, bytes: UnsafePointer<UInt8>,
    firstRow: Int?, worker: Int, cells: CellReader
  ) {
    let worker = workers.value(worker) { Worker() }
    switch form {
    case .codes:
      worker.runs.append(
        encode(fields, count: count, stride: stride, of: bytes, with: worker.dictionary))
      worker.codedRows += count
      if worker.dictionary.count > worker.nextCheck { reconsider(worker, cells) }
    case .texts:
      worker.texts.append(fields, count: count, stride: stride, of: bytes, cells: cells)
    case .keys:
      let keys = room(forKeys: count, from: firstRow)
      guard let kind,
        kind.encode(
          fields, count: count, stride: stride, of: bytes, into: keys, cells: cells)
      else { return giveUp() }
      worker.runs.append(.keys(UnsafeBufferPointer(start: keys, count: count)))
    }
  }

  /// Ends the piece at hand of a worker.
  /// - Throws: ``TableError/io(_:)`` if memory ran out.
  func endPiece(_ number: Int, worker: Int) throws(TableError) {
    guard let state = workers[worker] else { return }
    var runs = state.runs
    state.runs = []
    let texts = try state.texts.finish()
    if !texts.isEmpty { runs.append(.texts(texts)) }
    let piece = ColumnPiece(number: number, worker: worker, runs: runs)
    pieces.withLock { $0.append(piece) }
  }

  /// In the order of the text.
  var decodedPieces: [ColumnPiece] {
    var pieces = pieces.withLock { $0 }
    pieces.sort { $0.number < $1.number }
    var row = 0
    for place in pieces.indices {
      pieces[place].firstRow = row
      row += pieces[place].count
    }
    return pieces
  }

  func giveUp() { overflow.store(true, ordering: .relaxed) }
}

extension ColumnTarget {
  /// The keys of all rows, in memory that is there once it is asked for.
  func keys(rows: Int) -> NumericKeyMemory {
    placedKeys.withLock { keys in
      let memory = keys ?? NumericKeyMemory(rows: rows)
      keys = memory
      return memory
    }
  }

  /// Where keys are written: where they stay, if that can be told.
  private func room(
    forKeys count: Int, from row: Int?
  ) -> UnsafeMutablePointer<UInt64> {
    guard case .known(let total) = rows, let row,
      let keys = keys(rows: total).keys.extracting(row..<row + count).baseAddress
    else { return memory.take(count, of: UInt64.self) }
    return keys
  }

  private func encode(
    _ fields: UnsafePointer<ds_field>, count: Int, stride: Int, of bytes: UnsafePointer<UInt8>,
    with dictionary: ByteDictionary
  ) -> ColumnPiece.Run {
    if dictionary.count <= UInt16.max {
      let codes = memory.take(count, of: UInt16.self)
      if dictionary.encode(fields, count: count, stride: stride, of: bytes, into: codes) {
        return .narrow(UnsafeBufferPointer(start: codes, count: count))
      }
    }
    let codes = memory.take(count, of: UInt32.self)
    if !dictionary.encode(fields, count: count, stride: stride, of: bytes, into: codes) { giveUp() }
    return .wide(UnsafeBufferPointer(start: codes, count: count))
  }

  /// Gives the dictionary up when it has many numbers, or most cells are distinct, and nothing but
  /// strings for sure.
  private func reconsider(_ worker: Worker, _ cells: CellReader) {
    let count = worker.dictionary.count
    if let kind, count > Self.mostCodedNumbers {
      guard keys(of: worker.dictionary, as: kind, cells: cells) != nil else { return giveUp() }
      return change(to: .keys)
    }
    if count * 2 > worker.codedRows, mayBeTexts, isOfStrings(worker, cells) {
      return change(to: .texts)
    }
    worker.nextCheck = kind == nil ? count * 2 : min(count * 2, Self.mostCodedNumbers)
  }

  private var mayBeTexts: Bool {
    if case .known(let rows) = rows { rows <= Self.mostTexts } else { true }
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

  /// Makes all rows of one form; gives up where that cannot be.
  func complete(cells: CellReader) {
    switch form {
    case .codes: break
    case .texts: if decodedPieces.reduce(0, { $0 + $1.count }) > Self.mostTexts { giveUp() }
    case .keys: completeKeys(cells: cells)
    }
  }
}
