import Glibc
import Synchronization

/// Memory that a worker shares with its pool. It holds the line that runs, the last output, and
/// messages that can wait.
///
/// Writing it costs no system call, and its content outlives the worker. One process writes; a
/// reader detects a concurrent write by reading twice (``running``).
struct StatusPage: @unchecked Sendable {
  // Safe to share: the words are atomic, and the text is read only when its writer is dead or
  // hangs.
  private let words: UnsafeMutablePointer<Atomic<UInt64>>
  private let text: UnsafeMutableRawPointer
  private let pendingStart: UnsafeMutableRawPointer

  private enum Word: Int {
    /// The start time of the command; 0 if none runs. Written last.
    case begun
    /// The number of the job counted from 1; 0 between jobs.
    case job, line
    /// The deadlines of the command and the file.
    case commandEnd, fileEnd
    /// The number of bytes of output of the command.
    case outputCount
    /// The number of bytes of pending messages, and the time of the first; 0 if there are none.
    case pendingCount, pendingSince
  }

  private static let headerSize = 256
  /// The number of bytes of output that are kept: the last ones.
  private static let textSize = 1 << 14
  /// The maximum number of bytes of pending messages.
  private static let pendingSize = 1 << 13
  /// The time they may wait, in nanoseconds.
  private static let pendingTime: UInt64 = 10_000_000
  static let size = headerSize + textSize + pendingSize

  /// - Parameter descriptor: a file of ``size`` bytes.
  /// - Returns: nil if it cannot be mapped.
  init?(_ descriptor: Int32) {
    guard
      let start = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      start != MAP_FAILED
    else { return nil }
    words = start.bindMemory(to: Atomic<UInt64>.self, capacity: Self.headerSize / 8)
    text = start + Self.headerSize
    pendingStart = text + Self.textSize
  }

  /// The page must not be used afterwards.
  func unmap() { munmap(words, Self.size) }

  private func set(_ word: Word, _ value: UInt64) {
    words[word.rawValue].store(value, ordering: .releasing)
  }

  private func get(_ word: Word) -> UInt64 { words[word.rawValue].load(ordering: .acquiring) }
}

// Writing, in the worker.
extension StatusPage {
  /// - Parameter budget: the time limit of the file, in nanoseconds.
  func beginFile(_ job: Int, budget: UInt64) {
    set(.begun, 0)
    set(.outputCount, 0)
    set(.line, 0)
    set(.fileEnd, MonotonicTime.now &+ budget)
    set(.job, UInt64(truncatingIfNeeded: job) &+ 1)
  }

  /// - Parameters:
  ///   - line: counted from 1; 0 while the file is read.
  ///   - budget: the time limit of the command, in nanoseconds.
  ///   - fileExtra: the time by which this command extends the limit of the file.
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

  /// Keeps the last bytes of output.
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
        // The rest wraps around.
        text.copyMemory(from: start + first, byteCount: kept.count - first)
      }
      set(.outputCount, end)
    }
  }
}

// Messages that the worker has not sent yet, so that not every file wakes the pool. They survive
// the worker.
extension StatusPage {
  /// - Returns: false if they do not fit.
  func addPending(_ line: [UInt8]) -> Bool {
    let count = Int(clamping: get(.pendingCount))
    guard count + line.count <= Self.pendingSize else { return false }
    let room = UnsafeMutableRawBufferPointer(start: pendingStart, count: Self.pendingSize)
    UnsafeMutableRawBufferPointer(rebasing: room[count...]).copyBytes(from: line)
    set(.pendingCount, UInt64(count + line.count))
    if count == 0 { set(.pendingSince, MonotonicTime.now) }
    return true
  }

  /// Whether pending messages have waited long enough.
  var isPendingLate: Bool {
    let begun = get(.pendingSince)
    return begun > 0 && MonotonicTime.now &- begun > Self.pendingTime
  }

  var pending: [UInt8] {
    let count = min(Int(clamping: get(.pendingCount)), Self.pendingSize)
    return Array(UnsafeRawBufferPointer(start: pendingStart, count: count))
  }

  /// Called when all of them were sent.
  func clearPending() {
    set(.pendingCount, 0)
    set(.pendingSince, 0)
  }
}

// Reading, in the pool and in the watchdog.
extension StatusPage {
  struct Running: Equatable {
    /// The start time of the command, by the clock of the worker.
    let begun: UInt64
    /// Counted from 0.
    let job: Int
    /// Counted from 1; 0 while the file is read.
    let line: Int
    /// The earlier of the deadlines of command and file.
    let end: UInt64
    /// Whether it is the deadline of the file.
    let isFileEnd: Bool
  }

  /// The running command; nil between two commands.
  var running: Running? {
    let begun = get(.begun)
    guard begun > 0, let last, get(.begun) == begun else { return nil }
    return Running(
      begun: begun, job: last.job, line: last.line, end: min(get(.commandEnd), get(.fileEnd)),
      isFileEnd: get(.fileEnd) < get(.commandEnd))
  }

  /// The last command of a file that began and did not end.
  var last: (job: Int, line: Int)? {
    let job = get(.job)
    return job == 0 ? nil : (Int(job - 1), Int(clamping: get(.line)))
  }

  /// The end of the output of the command.
  var lastOutput: String {
    let end = get(.outputCount)
    let count = Int(min(end, UInt64(Self.textSize)))
    let start = Int((end &- UInt64(count)) % UInt64(Self.textSize))
    let bytes = UnsafeRawBufferPointer(start: text, count: Self.textSize)
    let first = bytes[start..<min(start + count, Self.textSize)]
    let all = Array(first) + Array(bytes[0..<count - first.count])
    // The kept part may begin inside a character.
    let isTruncated = end > UInt64(count)
    return String(decoding: isTruncated ? all.drop { $0 & 0xC0 == 0x80 } : all[...], as: UTF8.self)
  }
}

/// The monotonic clock of the system, the same in all processes.
enum MonotonicTime {
  /// In nanoseconds.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
