import Glibc
import Synchronization

/// The memory that the process may use.
///
/// Swift ends a process that gets no memory, and Linux may end one that uses all of the machine's. So
/// work that checks a ``Cancellation`` measures the memory of the process as it proceeds, and fails
/// before that happens. Its results so far are then freed, and the process goes on.
public enum MemoryLimit {
  /// In bytes; 0 for the usual limit.
  private static let chosen = Atomic<Int>(0)
  private static let isExceeded = Atomic<Bool>(false)
  /// Whether the process got no memory and uses a reserve.
  private static let usesReserve = Atomic<Bool>(false)
  /// Sets the reserve aside again.
  private static let renewal = Mutex<(@Sendable () -> Void)?>(nil)
  /// The time of the last measurement, in milliseconds of a clock that ticks every few.
  private static let lastTime = Atomic<Int>(0)

  /// The limit of the memory that the process itself writes, without the pages of files; nil for the
  /// usual one.
  public static var bytes: Int? {
    get {
      let bytes = chosen.load(ordering: .relaxed)
      return bytes == 0 ? nil : bytes
    }
    set {
      chosen.store(newValue ?? 0, ordering: .relaxed)
      measureAgain()
    }
  }

  /// Four fifths of the memory of the machine, or of the control group of the process.
  private static let usual: Int = {
    var limit = sysconf(Int32(_SC_PHYS_PAGES)) * pageSize
    let path = "/sys/fs/cgroup/memory.max"
    if let group = numbers(inFileAt: path).first { limit = min(limit, group) }
    return limit / 5 * 4
  }()

  private static let pageSize = sysconf(Int32(_SC_PAGESIZE))

  /// Marks the limit as exceeded until ``measureAgain()``, because the process got no memory and uses a
  /// reserve.
  package static func useReserve() { usesReserve.store(true, ordering: .relaxed) }

  /// - Parameter renewal: sets a reserve aside, unless that was done and it was not used.
  package static func setReserve(_ renewal: @escaping @Sendable () -> Void) {
    self.renewal.withLock { $0 = renewal }
    renewal()
  }

  /// Whether more than the limit was used when it was measured last.
  package static var wasExceeded: Bool {
    isExceeded.load(ordering: .relaxed) || usesReserve.load(ordering: .relaxed)
  }

  /// Measures the memory in the next check, and sets a used reserve aside again.
  package static func measureAgain() {
    isExceeded.store(false, ordering: .relaxed)
    if usesReserve.exchange(false, ordering: .relaxed) { renewal.withLock { $0 }?() }
    lastTime.store(0, ordering: .relaxed)
  }

  /// Measures the memory, unless that was done some milliseconds ago.
  /// - Throws: `TableError.limit` if more than the limit is used.
  static func check() throws(TableError) {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    let now = time.tv_sec &* 1000 &+ time.tv_nsec / 1_000_000
    let last = lastTime.load(ordering: .relaxed)
    if now != last,
      lastTime.compareExchange(expected: last, desired: now, ordering: .relaxed).exchanged
    {
      isExceeded.store(!allows(0), ordering: .relaxed)
    }
    if wasExceeded { throw error }
  }

  /// Checks before a large allocation that the process may use its memory too.
  /// - Throws: `TableError.limit`.
  static func check(beforeAllocating count: Int) throws(TableError) {
    if count >= 1 << 20, !allows(count) { throw error }
  }

  /// Checks before columns are decoded; most take up to 8 bytes for each row.
  /// - Throws: `TableError.limit`.
  static func check(beforeAllocatingRows rows: Int, columns: Int) throws(TableError) {
    try check(beforeAllocating: rows.multipliedReportingOverflow(by: 8 * columns).partialValue)
  }

  /// Whether the process may use some bytes more.
  private static func allows(_ count: Int) -> Bool {
    // The size of the address space, resident pages, and those that belong to files.
    let sizes = numbers(inFileAt: "/proc/self/statm")
    guard sizes.count >= 3 else { return true }
    if (sizes[1] - sizes[2]) * pageSize > (bytes ?? usual) - count { return false }
    guard let space = addressSpace else { return true }
    // The rest is for memory that is used between two measurements.
    return sizes[0] * pageSize <= space - space / 16 - count
  }

  /// The limit of the address space (`ulimit -v`), in bytes; nil without one.
  private static var addressSpace: Int? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { return nil }
    return Int(exactly: limit.rlim_cur)
  }

  private static var error: TableError {
    let mebibyte = 1 << 20
    if let space = addressSpace, space < bytes ?? usual {
      return .limit(
        "the work needs more memory than the \((space / mebibyte).grouped) MiB that `ulimit -v` "
          + "allows", setting: "", at: nil)
    }
    let limit = max(1, (bytes ?? usual) / mebibyte)
    return .limit(
      "the work needs more memory than \(limit.grouped) MiB", setting: "option memory \(limit * 2)",
      at: nil)
  }

  /// The numbers at the start of a file of the system; empty if it cannot be read or begins with a word.
  private static func numbers(inFileAt path: String) -> [Int] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
      let count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
      let fields = UnsafeRawBufferPointer(buffer)[..<count].split(maxSplits: 3) {
        $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n")
      }
      return fields.map { Int(String(decoding: $0, as: UTF8.self)) }.prefix { $0 != nil }
        .compactMap { $0 }
    }
  }
}
