internal import CScan
import Synchronization

/// A column that several workers decode, each of them in some chunks of the text.
///
/// Each worker encodes cells with its own dictionary until the dictionary of one worker has too
/// many entries. From then on, all workers store rows in another form; rows that were encoded
/// before are converted at the end.
///
/// Unchecked Sendable: a worker's state is used only by that worker, and by other threads after the
/// worker is done.
final class ColumnTarget: @unchecked Sendable {
  /// The form in which rows are stored.
  enum Form: UInt8, AtomicRepresentable {
    /// Codes of a worker's dictionary.
    case codes
    /// A separate text for each row.
    case texts
    /// Order-preserving keys of 64 bits.
    case keys
  }

  /// The number of rows to decode.
  enum Rows {
    /// The exact number; the number of each row is known.
    case known(Int)
    /// An estimate; the number of a row depends on the number of rows in all previous chunks.
    case expected(Int)
  }

  /// Number and date columns with more distinct cells than this become keys.
  static let maxCodedNumbers = 1 << 14
  /// The values of a string column with more distinct cells than this are stored as texts: one for
  /// each row if most cells differ, else one for each distinct cell.
  static let maxCodedStrings = 1 << 12
  /// A string column whose first cells mostly differ keeps its dictionary only if it is estimated to
  /// have at most this number of distinct cells.
  static let maxDistinctStrings = 1 << 18
  /// The codes of a column of texts have 32 bits.
  static let maxTexts = Int(UInt32.max)

  /// The part of the column that one worker has decoded.
  final class Worker {
    let dictionary: ByteDictionary
    /// The number of rows encoded with the dictionary.
    fileprivate(set) var codedRows = 0
    /// The dictionary size at which its use is reconsidered.
    fileprivate(set) var nextCheck = ColumnTarget.maxCodedStrings
    /// The runs of the current chunk, except the texts.
    fileprivate var runs: [ColumnChunk.Run] = []
    fileprivate let texts = TextWriter()

    fileprivate init(quoting: FieldQuoting) { dictionary = ByteDictionary(quoting: quoting) }

    /// The fraction of the coded rows of the current chunk whose cells are not empty.
    fileprivate var fractionOfCells: Double {
      var rows = 0
      var empty = 0
      for run in runs {
        rows += run.count
        switch run {
        case .narrow(let codes): empty += codes.count { $0 == 0 }
        case .wide(let codes): empty += codes.count { $0 == 0 }
        case .texts, .keys: break
        }
      }
      return rows == 0 ? 1 : Double(rows - empty) / Double(rows)
    }
  }

  let position: Int
  /// The form of the cells that was requested or estimated.
  let cellForm: CellForm
  /// Whether the form was requested.
  let isDeclared: Bool
  /// The kind of keys that a column of many distinct cells may become.
  let kind: NumericColumn.Kind?
  let workers = WorkerSlots<Worker>(Parallel.workers)
  /// The number of rows, which decides where keys are written.
  private let rows: Rows
  private let memory: RunMemory
  private let chunks = Mutex<[ColumnChunk]>([])
  private let overflow = Atomic<Bool>(false)
  /// The form of rows decoded from now on; it changes at most once.
  private let currentForm = Atomic<Form>(.codes)
  private let placedKeys = Mutex<NumericKeyMemory?>(nil)

  /// Whether a cell did not fit the form. If so, the decoded rows are unusable.
  var didOverflow: Bool { overflow.load(ordering: .relaxed) }
  var form: Form { currentForm.load(ordering: .relaxed) }

  /// - Parameter isKeyed: whether the cells may become keys.
  init(rows: Rows, position: Int, cellForm: CellForm, isKeyed: Bool, isDeclared: Bool) {
    self.rows = rows
    self.position = position
    self.cellForm = cellForm
    self.isDeclared = isDeclared
    kind = isKeyed ? cellForm.kind : nil
    memory =
      switch rows {
      case .known(let count), .expected(let count): RunMemory(expectedRows: count)
      }
  }

  /// Decodes a column of fields as the next rows of the current chunk.
  /// - Parameter firstRow: the number of the first of these rows, if known.
  func take(
    _ fields: UnsafePointer<ds_field>, count: Int, stride: Int, bytes: UnsafePointer<UInt8>,
    firstRow: Int?, worker: Int, cells: CellReader
  ) {
    let worker = workers.value(worker) { Worker(quoting: cells.quoting) }
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
        cellForm.encode(
          fields, count: count, stride: stride, of: bytes, as: kind, into: keys, cells: cells)
      else { return giveUp() }
      worker.runs.append(.keys(UnsafeBufferPointer(start: keys, count: count)))
    }
  }

  /// Ends the current chunk of a worker.
  /// - Throws: ``TableError/io(_:)`` if memory ran out.
  func endChunk(_ number: Int, worker: Int) throws(TableError) {
    guard let state = workers[worker] else { return }
    var runs = state.runs
    state.runs = []
    let texts = try state.texts.finish()
    if !texts.isEmpty { runs.append(.texts(texts)) }
    let chunk = ColumnChunk(number: number, worker: worker, runs: runs)
    chunks.withLock { $0.append(chunk) }
  }

  /// The decoded chunks in the order of the text.
  var decodedChunks: [ColumnChunk] {
    var chunks = chunks.withLock { $0 }
    chunks.sort { $0.number < $1.number }
    var row = 0
    for place in chunks.indices {
      chunks[place].firstRow = row
      row += chunks[place].count
    }
    return chunks
  }

  func giveUp() { overflow.store(true, ordering: .relaxed) }
}

extension ColumnTarget {
  /// The memory for the keys of all rows, allocated on first use.
  func keys(rows: Int) -> NumericKeyMemory {
    placedKeys.withLock { keys in
      let memory = keys ?? NumericKeyMemory(rows: rows)
      keys = memory
      return memory
    }
  }

  /// Memory for keys: their final position if the row number is known, else temporary memory.
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
  ) -> ColumnChunk.Run {
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

  /// Abandons the dictionaries if this one has many numbers or dates, or if most cells are distinct,
  /// certainly strings and probably not few. Gives up if a cell of a large number or date column has
  /// no key.
  private func reconsider(_ worker: Worker, _ cells: CellReader) {
    let count = worker.dictionary.count
    if let kind, count > Self.maxCodedNumbers {
      guard keys(of: worker.dictionary, cellForm, as: kind, cells: cells) != nil else {
        return giveUp()
      }
      return change(to: .keys)
    }
    if count * 2 > worker.codedRows, !hasFewStrings(worker), mayBeTexts,
      isOfStrings(worker, cells)
    {
      return change(to: .texts)
    }
    worker.nextCheck = kind == nil ? count * 2 : min(count * 2, Self.maxCodedNumbers)
  }

  /// Whether a column whose first cells mostly differ repeats them often further on, so that a
  /// dictionary needs less memory and answers faster than separate texts.
  ///
  /// If a column has *d* different values in random order, about *n*² / 2*d* of its first *n* cells have
  /// the value of an earlier cell.
  private func hasFewStrings(_ worker: Worker) -> Bool {
    let cells = Double(worker.codedRows) * worker.fractionOfCells
    let repeated = cells - Double(worker.dictionary.count)
    let expected =
      switch rows {
      case .known(let count), .expected(let count): count
      }
    let most = Double(min(expected / 8, Self.maxDistinctStrings))
    return cells * cells <= 2 * repeated * most
  }

  private var mayBeTexts: Bool {
    if case .known(let rows) = rows { rows <= Self.maxTexts } else { true }
  }

  /// Does nothing if another worker has changed the form.
  private func change(to form: Form) {
    _ = currentForm.compareExchange(expected: .codes, desired: form, ordering: .relaxed)
  }

  /// Whether all cells so far fit only strings; more cells cannot make them fit another type.
  private func isOfStrings(_ worker: Worker, _ cells: CellReader) -> Bool {
    if isDeclared { return cellForm.type == .string }
    return tally(worker.dictionary, cells: cells, untilString: true).isCertainlyStrings
  }
}

/// The consecutive rows of a column in one chunk of the text, decoded by one worker.
///
/// Unchecked Sendable: the memory of its runs is written before the chunk is created.
struct ColumnChunk: @unchecked Sendable {
  /// Consecutive rows stored in one form.
  enum Run {
    /// Codes of the worker's dictionary plus one; 0 is an empty cell.
    case narrow(UnsafeBufferPointer<UInt16>)
    /// The same kind of codes, if they do not fit 16 bits.
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

  /// The number of the chunk in the text, from 0.
  var number: Int
  var worker: Int
  var runs: [Run]
  /// The number of its first row; set when the chunks before it are known.
  var firstRow = 0

  var count: Int { runs.reduce(0) { $0 + $1.count } }
}
