import Glibc
import Synchronization

/// Memory that a worker shares with its pool. It holds the running line, the last output, and
/// pending messages.
///
/// Writing to it needs no system call, and its content outlives the worker. One process writes; a
/// reader detects a concurrent write by reading twice (``running``).
struct StatusPage: @unchecked Sendable {
  // Safe to share: the words are atomic, and the text is read only when its writer is dead or
  // hangs.
  private let words: UnsafeMutablePointer<Atomic<UInt64>>
  private let text: UnsafeMutableRawPointer
  private let pendingStart: UnsafeMutableRawPointer

  private enum Word: Int {
    /// The start time of the command; 0 if none runs. Written last.
    case startTime
    /// The number of the job counted from 1; 0 between jobs.
    case job, line
    /// The deadlines of the command and the file.
    case commandDeadline, fileDeadline
    /// The number of bytes of output of the command.
    case outputCount
    /// The number of bytes of pending messages, and the time of the first; 0 without pending messages.
    case pendingCount, pendingSince
  }

  private static let headerSize = 256
  /// The number of bytes that are kept from the end of the output.
  private static let textSize = 1 << 14
  /// The maximum number of bytes of pending messages.
  private static let pendingSize = 1 << 13
  /// The time after which pending messages are sent, in nanoseconds.
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

  /// Ends the mapping; the page must not be used afterwards.
  func unmap() { munmap(words, Self.size) }

  private func set(_ word: Word, _ value: UInt64) {
    words[word.rawValue].store(value, ordering: .releasing)
  }

  private func get(_ word: Word) -> UInt64 { words[word.rawValue].load(ordering: .acquiring) }
}

// Writing, in the worker.
extension StatusPage {
  /// - Parameter timeLimit: the time limit of the file, in nanoseconds.
  func beginFile(_ job: Int, timeLimit: UInt64) {
    set(.startTime, 0)
    set(.outputCount, 0)
    set(.line, 0)
    set(.fileDeadline, MonotonicTime.now &+ timeLimit)
    set(.job, UInt64(truncatingIfNeeded: job) &+ 1)
  }

  /// - Parameters:
  ///   - line: counted from 1; 0 while the file is read.
  ///   - timeLimit: the time limit of the command, in nanoseconds.
  ///   - addedFileTime: the time that this command adds to the limit of the file, in nanoseconds.
  func beginCommand(line: Int, timeLimit: UInt64, addedFileTime: UInt64 = 0) {
    let now = MonotonicTime.now
    set(.startTime, 0)
    set(.outputCount, 0)
    set(.line, UInt64(truncatingIfNeeded: line))
    set(.commandDeadline, now &+ timeLimit)
    if addedFileTime > 0 { set(.fileDeadline, get(.fileDeadline) &+ addedFileTime) }
    set(.startTime, max(1, now))
  }

  /// Begins the time limit of the file again, in nanoseconds.
  func extendFile(timeLimit: UInt64) { set(.fileDeadline, MonotonicTime.now &+ timeLimit) }

  func endFile() {
    set(.startTime, 0)
    set(.job, 0)
  }

  /// Keeps the last bytes of output.
  func appendOutput(_ chunk: String) {
    let before = get(.outputCount)
    var chunk = chunk
    chunk.withUTF8 { chunk in
      let bytes = UnsafeRawBufferPointer(chunk)
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

// Pending messages, which the worker sends together later, so that not every file wakes the pool.
// They outlive the worker.
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

  /// Whether pending messages have waited for ``pendingTime``.
  var isPendingLate: Bool {
    let since = get(.pendingSince)
    return since > 0 && MonotonicTime.now &- since > Self.pendingTime
  }

  var pending: [UInt8] {
    let count = min(Int(clamping: get(.pendingCount)), Self.pendingSize)
    return Array(UnsafeRawBufferPointer(start: pendingStart, count: count))
  }

  /// Removes the pending messages after they were sent.
  func clearPending() {
    set(.pendingCount, 0)
    set(.pendingSince, 0)
  }
}

// Reading, in the pool and in the watchdog.
extension StatusPage {
  struct Running: Equatable {
    /// The start time of the command (``MonotonicTime``), in nanoseconds.
    let startTime: UInt64
    /// Counted from 0.
    let job: Int
    /// Counted from 1; 0 while the file is read.
    let line: Int
    /// The deadline of the command or of the file, whichever is earlier.
    let deadline: UInt64
    /// Whether ``deadline`` is the deadline of the file.
    let isFileDeadline: Bool
  }

  /// The running command; nil between two commands, and if another command starts during the read.
  var running: Running? {
    let startTime = get(.startTime)
    guard startTime > 0, let last, get(.startTime) == startTime else { return nil }
    return Running(
      startTime: startTime, job: last.job, line: last.line,
      deadline: min(get(.commandDeadline), get(.fileDeadline)),
      isFileDeadline: get(.fileDeadline) < get(.commandDeadline))
  }

  /// The command that began last in the running file; nil between files.
  var last: (job: Int, line: Int)? {
    let job = get(.job)
    return job == 0 ? nil : (Int(job - 1), Int(clamping: get(.line)))
  }

  /// The last output of the command, at most ``textSize`` bytes.
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
