internal import Glibc

/// Pages of two megabytes, where the system has them to give.
///
/// Memory that is filled once and dropped costs a fault for each of its pages: by small ones, sorting
/// two million rows spends a tenth of its time on them.
enum LargePages {
  /// Asks for large pages under memory that is yet to be filled from end to end; where less of it
  /// is touched they would take more than is used.
  static func advise<Element>(_ memory: UnsafeMutableBufferPointer<Element>) {
    let bytes = UnsafeMutableRawBufferPointer(memory)
    guard let start = bytes.baseAddress, bytes.count >= 4 << 20 else { return }
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
