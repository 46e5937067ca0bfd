import DataTables
import Synchronization

/// The bytes of a large file, which tell how far a pass over them is.
///
/// Whoever reads them knows nothing of it. A pass is told of as soon as it proves to be more than a
/// look at some rows, and ends when every block was read.
final class CountedBytes: ByteStore {
  private let store: any ByteStore
  private let name: String
  private let progress: Progress
  private let pass: Mutex<Pass>

  /// What is read in one go, so that a text that is read whole is seen to advance.
  private static let pieceSize = 4 << 20

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
      let piece = UnsafeMutableRawBufferPointer(rebasing: rest.prefix(Self.pieceSize))
      let count = try store.read(at: offset + filled, into: piece)
      note(offset + filled, count)
      filled += count
      if count < piece.count || filled == buffer.count { return filled }
    }
  }

  private func note(_ offset: Int, _ count: Int) {
    guard count > 0, let blocks = Pass.blocks(offset, count, of: store.count) else { return }
    pass.withLock { $0.take(blocks, name: name, progress: progress) }
  }
}

/// Which blocks of a file were read since it was last read in full.
///
/// A block counts with its middle, once: windows that overlap are no progress, most single rows are
/// none, and a pass that leaves out a header is whole.
private struct Pass {
  private static let blocks = 1_024
  /// The blocks of which a look at rows stays below.
  private static let threshold = 16

  private let size: Int
  private var isRead: [Bool]
  private var count = 0
  private var start: AdjustableClock.Instant?
  private var phase: Progress.Phase?
  /// The round of the progress in which the pass began: a command goes on with no other's pass.
  private var round = 0

  init(of size: Int) {
    self.size = size
    isRead = Array(repeating: false, count: Self.count(of: size))
  }

  private static func blockSize(of size: Int) -> Int { max(1, size / blocks) }

  /// The last block takes what is left.
  private static func count(of size: Int) -> Int { size / blockSize(of: size) }

  /// The blocks whose middle is within some bytes; nil for none.
  static func blocks(_ offset: Int, _ count: Int, of size: Int) -> Range<Int>? {
    let blockSize = blockSize(of: size)
    // The first block whose middle is not before a place.
    func block(from place: Int) -> Int {
      (max(0, place - blockSize / 2) + blockSize - 1) / blockSize
    }
    let first = block(from: offset)
    let end = min(block(from: offset + count), Self.count(of: size))
    return first < end ? first..<end : nil
  }

  mutating func take(_ blocks: Range<Int>, name: String, progress: Progress) {
    if round != progress.round {
      self = Pass(of: size)
      round = progress.round
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
      round = progress.round
    } else if let phase {
      phase.advance(by: bytes - before)
    } else if count >= Self.threshold {
      phase = progress.begin(
        name, unit: .bytes, total: size, completed: bytes, since: start ?? progress.clock.now)
    }
  }

  private var bytes: Int { count * Self.blockSize(of: size) }
}
