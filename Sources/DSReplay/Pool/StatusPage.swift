import Glibc
import Synchronization

/// Memory that a worker shares with its pool, in which it says what it is about to run, and what came
/// of files when that can wait.
///
/// Saying so costs no system call, and what was said outlives the worker, however it ends. One process
/// writes; whoever reads while it does looks twice (``running``).
struct StatusPage: @unchecked Sendable {
  // Safe to share: the words are atomics, the text is read when its writer is dead or hangs.
  private let words: UnsafeMutablePointer<Atomic<UInt64>>
  private let text: UnsafeMutableRawPointer
  private let pendingStart: UnsafeMutableRawPointer

  private enum Word: Int {
    /// When the command began; 0 while none runs. Written last.
    case begun
    /// The number of the job counted from 1; 0 between jobs.
    case job, line
    /// When the command and the file should have ended.
    case commandEnd, fileEnd
    /// How many bytes the command told so far.
    case outputCount
    /// How many bytes are posted, and since when; 0 when nothing is.
    case pendingCount, pendingSince
  }

  private static let headerSize = 256
  /// How much of what a command tells is kept: its last bytes.
  private static let textSize = 1 << 14
  /// How much of what came of files can wait until it is sent.
  private static let pendingSize = 1 << 13
  /// How long it may, in nanoseconds.
  private static let pendingTime: UInt64 = 10_000_000
  static let size = headerSize + textSize + pendingSize

  /// - Parameter descriptor: of a file of ``size`` bytes.
  /// - Returns: nil when it cannot be mapped.
  init?(_ descriptor: Int32) {
    guard
      let start = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      start != MAP_FAILED
    else { return nil }
    words = start.bindMemory(to: Atomic<UInt64>.self, capacity: Self.headerSize / 8)
    text = start + Self.headerSize
    pendingStart = text + Self.textSize
  }

  /// Nothing may be asked of it afterwards.
  func unmap() { munmap(words, Self.size) }

  private func set(_ word: Word, _ value: UInt64) {
    words[word.rawValue].store(value, ordering: .releasing)
  }

  private func get(_ word: Word) -> UInt64 { words[word.rawValue].load(ordering: .acquiring) }
}

// The worker's side.
extension StatusPage {
  /// - Parameter budget: how long the file may take, in nanoseconds.
  func beginFile(_ job: Int, budget: UInt64) {
    set(.begun, 0)
    set(.outputCount, 0)
    set(.line, 0)
    set(.fileEnd, MonotonicTime.now &+ budget)
    set(.job, UInt64(truncatingIfNeeded: job) &+ 1)
  }

  /// - Parameters:
  ///   - line: counted from 1; 0 while the file is read.
  ///   - budget: how long it may take, in nanoseconds.
  ///   - fileExtra: how much longer than other files the file may take for its sake.
  func beginCommand(line: Int, budget: UInt64, fileExtra: UInt64 = 0) {
    let now = MonotonicTime.now
    set(.begun, 0)
    set(.outputCount, 0)
    set(.line, UInt64(truncatingIfNeeded: line))
    set(.commandEnd, now &+ budget)
    if fileExtra > 0 { set(.fileEnd, get(.fileEnd) &+ fileExtra) }
    set(.begun, max(1, now))
  }

  func endFile() {
    set(.begun, 0)
    set(.job, 0)
  }

  /// Keeps the last bytes of what the command tells.
  func appendOutput(_ piece: String) {
    let before = get(.outputCount)
    var piece = piece
    piece.withUTF8 { piece in
      let bytes = UnsafeRawBufferPointer(piece)
      let end = before &+ UInt64(bytes.count)
      let kept = bytes.suffix(Self.textSize)
      let place = Int((end &- UInt64(kept.count)) % UInt64(Self.textSize))
      let first = min(kept.count, Self.textSize - place)
      if let start = bytes.baseAddress.map({ $0 + kept.startIndex }) {
        (text + place).copyMemory(from: start, byteCount: first)
        // The rest goes on at the start.
        text.copyMemory(from: start + first, byteCount: kept.count - first)
      }
      set(.outputCount, end)
    }
  }
}

// What a worker has to tell and did not send yet, so that not every file wakes its pool. It is not lost
// with the worker.
extension StatusPage {
  /// - Returns: false when there is no room.
  func addPending(_ line: [UInt8]) -> Bool {
    let count = Int(clamping: get(.pendingCount))
    guard count + line.count <= Self.pendingSize else { return false }
    let room = UnsafeMutableRawBufferPointer(start: pendingStart, count: Self.pendingSize)
    UnsafeMutableRawBufferPointer(rebasing: room[count...]).copyBytes(from: line)
    set(.pendingCount, UInt64(count + line.count))
    if count == 0 { set(.pendingSince, MonotonicTime.now) }
    return true
  }

  /// Whether what is posted has waited long enough.
  var isPendingLate: Bool {
    let begun = get(.pendingSince)
    return begun > 0 && MonotonicTime.now &- begun > Self.pendingTime
  }

  var pending: [UInt8] {
    let count = min(Int(clamping: get(.pendingCount)), Self.pendingSize)
    return Array(UnsafeRawBufferPointer(start: pendingStart, count: count))
  }

  /// Called when all of it was sent.
  func clearPending() {
    set(.pendingCount, 0)
    set(.pendingSince, 0)
  }
}

// The pool's side, and that of whoever watches the time.
extension StatusPage {
  struct Running: Equatable {
    /// Of its command, as the worker's clock had it.
    let begun: UInt64
    /// Counted from 0.
    let job: Int
    /// Counted from 1; 0 while the file is read.
    let line: Int
    /// The earlier of the ends of command and file.
    let end: UInt64
    /// Whether it is the file that has no more time.
    let isFileEnd: Bool
  }

  /// What runs; nil between two commands.
  var running: Running? {
    let begun = get(.begun)
    guard begun > 0, let last, get(.begun) == begun else { return nil }
    return Running(
      begun: begun, job: last.job, line: last.line, end: min(get(.commandEnd), get(.fileEnd)),
      isFileEnd: get(.fileEnd) < get(.commandEnd))
  }

  /// What ran last of a file that was begun and not ended.
  var last: (job: Int, line: Int)? {
    let job = get(.job)
    return job == 0 ? nil : (Int(job - 1), Int(clamping: get(.line)))
  }

  /// The end of what the command told.
  var lastOutput: String {
    let end = get(.outputCount)
    let count = Int(min(end, UInt64(Self.textSize)))
    let start = Int((end &- UInt64(count)) % UInt64(Self.textSize))
    let bytes = UnsafeRawBufferPointer(start: text, count: Self.textSize)
    let first = bytes[start..<min(start + count, Self.textSize)]
    let all = Array(first) + Array(bytes[0..<count - first.count])
    // What was cut off may have begun in the middle of a character.
    let isTruncated = end > UInt64(count)
    return String(decoding: isTruncated ? all.drop { $0 & 0xC0 == 0x80 } : all[...], as: UTF8.self)
  }
}

/// The system's clock that only goes forward, the same in all processes.
enum MonotonicTime {
  /// In nanoseconds.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
