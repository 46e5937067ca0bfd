import Glibc
import Synchronization

/// Files that a library has open, with locks of the process.
///
/// Closing any descriptor of a file drops all locks that the process has on it (fcntl(2)), also the
/// library's; other programs could then change the file while the library uses it. Such descriptors
/// therefore stay open until the library has closed the file.
package final class EngineLocks: Sendable {
  private struct File: Hashable {
    let device: UInt
    let inode: UInt

    init(_ status: stat) {
      device = UInt(status.st_dev)
      inode = UInt(status.st_ino)
    }
  }

  private struct Use {
    var count = 0
    /// Descriptors that are not used now.
    var kept: [Int32] = []
  }
  private static let uses = Mutex<[File: Use]>([:])
  private static let areUsed = Atomic(false)

  private let files: [File]
  private let hasEnded = Atomic(false)

  /// Begins the use of files; missing files have no locks.
  package init(_ paths: [String]) {
    files = paths.compactMap { path in
      var status = stat()
      return stat(path, &status) == 0 ? File(status) : nil
    }
    Self.areUsed.store(true, ordering: .sequentiallyConsistent)
    Self.uses.withLock { uses in
      for file in files { uses[file, default: Use()].count += 1 }
    }
  }

  deinit { end() }

  /// Ends the use, after the library has closed the files.
  package func end() {
    guard !hasEnded.exchange(true, ordering: .sequentiallyConsistent) else { return }
    Self.uses.withLock { uses in
      for file in files {
        guard var use = uses[file] else { continue }
        use.count -= 1
        uses[file] = use.count > 0 ? use : nil
        if use.count == 0 { for descriptor in use.kept { Glibc.close(descriptor) } }
      }
    }
  }

  /// A descriptor of a file that was kept, at the start of the file; nil without one.
  static func takeDescriptor(ofFileAt path: String) -> Int32? {
    guard areUsed.load(ordering: .relaxed) else { return nil }
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let descriptor = uses.withLock { $0[File(status)]?.kept.popLast() }
    if let descriptor { lseek(descriptor, 0, SEEK_SET) }
    return descriptor
  }

  /// Closes a descriptor, or keeps it if that would drop locks.
  static func close(_ descriptor: Int32) {
    if areUsed.load(ordering: .relaxed) {
      var status = stat()
      if fstat(descriptor, &status) == 0 {
        let isKept = uses.withLock { uses in
          uses[File(status)]?.kept.append(descriptor) != nil
        }
        if isKept { return }
      }
    }
    Glibc.close(descriptor)
  }
}
