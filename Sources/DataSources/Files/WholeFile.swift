import DataTables
import Glibc

/// Files that are written atomically: readers see either the old or the new content, and a crash
/// leaves the old content.
package enum WholeFile {
  /// - Throws: `TableError.io`, also for a path that names a device, a pipe or a socket.
  static func write(_ bytes: [UInt8], to path: String) throws(TableError) {
    // A file that another program writes or locks at the same time is replaced too.
    repeat {
      let draft = try FileDraft(of: path)
      try draft.append(bytes)
      if try draft.commit(isSynced: false, cancellation: nil) != nil { return }
    } while true
  }

  package static func exists(_ path: String) -> Bool {
    access(FileOverlay.readable(path), F_OK) == 0
  }

  /// Checks that a file can be created or replaced, without writing it.
  /// - Throws: `TableError.io`, also for a path that names a device, a pipe or a socket.
  static func check(_ path: String) throws(TableError) {
    try SafeMode.checkWriting(path)
    try RegularFile.check(FileOverlay.readable(path), named: path)
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { path[...$0] } ?? "."
    // A file in an overlay needs no permission for the original folder, but the folder must exist.
    let permissions = FileOverlay.current == nil ? W_OK | X_OK : F_OK
    guard access(String(folder), permissions) == 0 else {
      throw OpenFile.failure("cannot write", path)
    }
  }
}
