internal import Glibc

/// Pages of two megabytes, where the system has them to give.
///
/// Memory that is filled once and dropped costs a fault for each of its pages: by small ones, sorting
/// two million rows spends a tenth of its time on them.
enum LargePages {
  private static let size = 2 << 20

  /// Memory that is to be filled from end to end.
  static func allocate<Element: BitwiseCopyable>(
    _ type: Element.Type, capacity: Int
  ) -> UnsafeMutableBufferPointer<Element> {
    let bytes = filled(max(1, capacity * MemoryLayout<Element>.stride))
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: bytes, alignment: bytes < size ? 64 : size)
    advise(memory)
    return UnsafeMutableBufferPointer(
      start: memory.baseAddress?.bindMemory(to: type, capacity: capacity), count: capacity)
  }

  /// A last page that is mostly needed is taken whole: the small ones would be hundreds of faults.
  private static func filled(_ bytes: Int) -> Int {
    let rest = bytes % size
    return rest > size / 4 * 3 ? bytes - rest + size : bytes
  }

  /// Asks for large pages under memory that is yet to be filled from end to end; where less of it
  /// is touched they would take more than is used.
  static func advise<Element>(_ memory: UnsafeMutableBufferPointer<Element>) {
    advise(UnsafeMutableRawBufferPointer(memory))
  }

  private static func advise(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let start = bytes.baseAddress, bytes.count >= size else { return }
    let page = sysconf(Int32(_SC_PAGESIZE))
    let skipped = -Int(bitPattern: start) & (page - 1)
    // An advice: when it is refused, pages are small.
    _ = madvise(start + skipped, (bytes.count - skipped) & -page, MADV_HUGEPAGE)
  }

  /// Gives memory back to the system that is not read any more, though its owner still has it: what it
  /// holds is lost.
  static func release<Element: BitwiseCopyable>(_ memory: UnsafeMutableBufferPointer<Element>) {
    let bytes = UnsafeMutableRawBufferPointer(memory)
    guard let start = bytes.baseAddress, bytes.count >= 128 << 10 else { return }
    let page = sysconf(Int32(_SC_PAGESIZE))
    // Only whole pages: what stands beside is in use.
    let skipped = -Int(bitPattern: start) & (page - 1)
    _ = madvise(start + skipped, (bytes.count - skipped) & -page, MADV_DONTNEED)
  }
}
