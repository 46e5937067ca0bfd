internal import Glibc

/// Memory in pages of two megabytes, where the system supports them.
///
/// Memory that is filled once and freed costs a page fault for each of its pages: with small pages,
/// sorting two million rows spends a tenth of its time on page faults.
enum LargePages {
  private static let size = 2 << 20

  /// Memory that the caller fills from end to end.
  static func allocate<Element: BitwiseCopyable>(
    _ type: Element.Type, capacity: Int
  ) -> UnsafeMutableBufferPointer<Element> {
    let bytes = rounded(max(1, capacity * MemoryLayout<Element>.stride))
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: bytes, alignment: alignment(of: bytes))
    advise(memory)
    return UnsafeMutableBufferPointer(
      start: memory.baseAddress?.bindMemory(to: type, capacity: capacity), count: capacity)
  }

  /// Memory that the caller fills from end to end and frees with `free`; nil if the system does not
  /// have enough.
  static func allocateIfAvailable(_ byteCount: Int) -> UnsafeMutableRawPointer? {
    let bytes = rounded(max(1, byteCount))
    var memory: UnsafeMutableRawPointer?
    guard posix_memalign(&memory, alignment(of: bytes), bytes) == 0 else { return nil }
    advise(UnsafeMutableRawBufferPointer(start: memory, count: bytes))
    return memory
  }

  private static func alignment(of bytes: Int) -> Int { bytes < size ? 64 : size }

  /// Rounds the size up if most of the last large page is used. Otherwise this part would consist
  /// of small pages and cost hundreds of page faults.
  private static func rounded(_ bytes: Int) -> Int {
    let rest = bytes % size
    return rest > size / 4 * 3 ? bytes - rest + size : bytes
  }

  /// Requests large pages for memory that will be filled from end to end. Partly filled memory
  /// would occupy more than it uses.
  static func advise<Element>(_ memory: UnsafeMutableBufferPointer<Element>) {
    advise(UnsafeMutableRawBufferPointer(memory))
  }

  private static func advise(_ bytes: UnsafeMutableRawBufferPointer) {
    guard bytes.count >= size else { return }
    // Only advice: if the system refuses it, the pages are small.
    adviseWholePages(of: bytes, MADV_HUGEPAGE)
  }

  /// Releases the pages of memory that is no longer read. The owner keeps the addresses; the
  /// content is lost.
  static func release<Element: BitwiseCopyable>(_ memory: UnsafeMutableBufferPointer<Element>) {
    let bytes = UnsafeMutableRawBufferPointer(memory)
    guard bytes.count >= 128 << 10 else { return }
    adviseWholePages(of: bytes, MADV_DONTNEED)
  }

  /// Advises on whole pages only. The partial pages at both ends contain adjacent memory that is in
  /// use.
  private static func adviseWholePages(of bytes: UnsafeMutableRawBufferPointer, _ advice: Int32) {
    guard let start = bytes.baseAddress else { return }
    let page = sysconf(Int32(_SC_PAGESIZE))
    let skipped = -Int(bitPattern: start) & (page - 1)
    _ = madvise(start + skipped, (bytes.count - skipped) & -page, advice)
  }
}
