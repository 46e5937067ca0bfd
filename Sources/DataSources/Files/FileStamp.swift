import Glibc

/// What tells whether a file still has the content that was read.
struct FileStamp: Equatable, Sendable {
  let device: UInt64
  let inode: UInt64
  let size: Int
  let modified: Time
  /// Changes with renames and permissions too.
  let touched: Time

  struct Time: Equatable, Sendable {
    let seconds: Int
    let nanoseconds: Int
  }

  init(_ facts: stat) {
    device = UInt64(facts.st_dev)
    inode = UInt64(facts.st_ino)
    size = Int(facts.st_size)
    modified = Time(seconds: facts.st_mtim.tv_sec, nanoseconds: facts.st_mtim.tv_nsec)
    touched = Time(seconds: facts.st_ctim.tv_sec, nanoseconds: facts.st_ctim.tv_nsec)
  }

  /// Whether an open file has the same content; renaming or deleting it does no harm.
  func hasSameContent(as other: FileStamp) -> Bool {
    device == other.device && inode == other.inode && size == other.size
      && modified == other.modified
  }
}
