import CMemory
import DataTables
import Glibc

/// Address space that is set aside for the allocation that would fail, if the address space is limited
/// (`ulimit -v`).
enum MemoryReserve {
  private static let maxSize = 64 << 20

  /// Sets it aside, now and after each use.
  static func begin() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
      let space = Int(exactly: limit.rlim_cur)
    else { return }
    MemoryLimit.setReserve {
      ds_reserve_memory(min(maxSize, space / 8)) { MemoryLimit.useReserve() }
    }
  }
}
