import DataTables
import Synchronization

/// The bytes of a large file, with reports of the progress of a pass over them.
///
/// Readers need no code for the reports. A pass is reported when it has read more blocks than reads
/// of single rows do, and ends when every block has been read.
final class CountedBytes: ByteStore {
  private let store: any ByteStore
  private let name: String
  private let progress: Progress
  private let pass: Mutex<Pass>

  /// Maximum number of bytes per read, so that a call that reads the whole file reports progress.
  private static let maxPieceSize = 4 << 20

  init(_ store: any ByteStore, named name: String, progress: Progress) {
    self.store = store
    self.name = name
    self.progress = progress
    pass = Mutex(Pass(of: store.count))
  }

  var count: Int { store.count }

  func checkUnchanged() throws { try store.checkUnchanged() }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    var filled = 0
    while true {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let piece = UnsafeMutableRawBufferPointer(rebasing: rest.prefix(Self.maxPieceSize))
      let count = try store.read(at: offset + filled, into: piece)
      record(offset + filled, count)
      filled += count
      if count < piece.count || filled == buffer.count { return filled }
    }
  }

  private func record(_ offset: Int, _ count: Int) {
    guard count > 0, let blocks = Pass.blocks(offset, count, of: store.count) else { return }
    pass.withLock { $0.add(blocks, name: name, progress: progress) }
  }
}

/// The blocks of a file that have been read since the last complete pass.
///
/// A block counts once, when its middle is read: overlapping reads and most single rows add
/// nothing, and a pass that skips the header is still complete.
private struct Pass {
  /// A file has at least this many blocks, unless it has fewer bytes.
  private static let blockCount = 1_024
  /// A pass is reported when it has read this many blocks; reads of single rows read fewer.
  private static let threshold = 16

  private let size: Int
  private var isRead: [Bool]
  private var count = 0
  private var start: AdjustableClock.Instant?
  private var phase: Progress.Phase?
  /// ``Progress/resetCount`` when the pass began. A reset, such as by the next command, abandons
  /// the pass.
  private var resetCount = 0

  init(of size: Int) {
    self.size = size
    isRead = Array(repeating: false, count: Self.count(of: size))
  }

  private static func blockSize(of size: Int) -> Int { max(1, size / blockCount) }

  /// Number of blocks; the last one includes the remainder.
  private static func count(of size: Int) -> Int { size / blockSize(of: size) }

  /// The blocks whose middle is within a range of bytes; nil for none.
  static func blocks(_ offset: Int, _ count: Int, of size: Int) -> Range<Int>? {
    let blockSize = blockSize(of: size)
    // The first block whose middle is at `offset` or later.
    func block(from offset: Int) -> Int {
      (max(0, offset - blockSize / 2) + blockSize - 1) / blockSize
    }
    let first = block(from: offset)
    let end = min(block(from: offset + count), Self.count(of: size))
    return first < end ? first..<end : nil
  }

  mutating func add(_ blocks: Range<Int>, name: String, progress: Progress) {
    if resetCount != progress.resetCount {
      self = Pass(of: size)
      resetCount = progress.resetCount
    }
    let before = bytes
    for block in blocks where !isRead[block] {
      if count == 0 { start = progress.clock.now }
      isRead[block] = true
      count += 1
    }
    if count == isRead.count {
      phase?.end()
      self = Pass(of: size)
      resetCount = progress.resetCount
    } else if let phase {
      phase.advance(by: bytes - before)
    } else if count >= Self.threshold {
      phase = progress.begin(
        name, unit: .bytes, total: size, completed: bytes, since: start ?? progress.clock.now)
    }
  }

  private var bytes: Int { count * Self.blockSize(of: size) }
}
