import Foundation
import Glibc

/// A file system of a few megabytes in memory, which a test fills. Making one needs the rights of the
/// administrator.
package final class SmallDisk {
  package let path: String

  /// Whether a disk can be made here.
  package static let isAvailable: Bool = {
    let path = FileManager.default.temporaryDirectory.path + "/dsshell-disk-" + UUID().uuidString
    let disk = try? SmallDisk(path, megabytes: 1)
    disk?.remove()
    rmdir(path)
    return disk != nil
  }()

  package struct Failure: Error {
    package let number: Int32
  }

  /// - Parameters:
  ///   - path: of a folder, which is made if it does not exist; its content is hidden.
  ///   - neighbor: a file whose owner shall own the disk.
  package init(_ path: String, megabytes: Int, ownedLike neighbor: String? = nil) throws {
    self.path = path
    var owner = stat()
    mkdir(path, 0o755)
    guard stat(neighbor ?? path, &owner) == 0,
      mount("none", path, "tmpfs", 0, "size=\(megabytes)m,mode=700") == 0
    else { throw Failure(number: errno) }
    guard chown(path, owner.st_uid, owner.st_gid) == 0 else {
      remove()
      throw Failure(number: errno)
    }
  }

  /// Detaches the disk; programs that use it go on until they close its files.
  package func remove() { umount2(path, Int32(MNT_DETACH)) }
}
