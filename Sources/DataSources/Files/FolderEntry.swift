import DataTables
import Glibc

/// A file or a folder in a folder.
struct FolderEntry {
  /// The kind of the file, or of the target of a link.
  enum Kind {
    case file
    case folder
    /// A pipe, a device, a link to nothing, or nothing.
    case other
    /// A file whose name is not UTF-8: no string holds its path.
    case unnamed
  }
  let name: String
  let kind: Kind
  let isLink: Bool

  static func nameError(_ path: String) -> TableError {
    .io("the name of `\(path)` is not UTF-8; rename the file")
  }

  /// The file or folder at a path; its kind is `other` if nothing has the path.
  init(at path: String) {
    name = path
    let readablePath = FileOverlay.readable(path)
    (kind, isLink) = Self.kind(type: Int(DT_UNKNOWN)) {
      fstatat(AT_FDCWD, readablePath, &$0, $1)
    }
  }

  /// An entry that readdir(3) returns from an open folder.
  init(_ entry: UnsafeMutablePointer<dirent>, in folder: OpaquePointer) {
    let type = Int(entry.pointee.d_type)
    (name, kind, isLink) = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      pointer.withMemoryRebound(to: CChar.self, capacity: 256) { characters in
        let found = Self.kind(type: type) { fstatat(dirfd(folder), characters, &$0, $1) }
        guard let name = String(validatingCString: characters) else {
          return (String(cString: characters), found.kind == .folder ? .folder : .unnamed, false)
        }
        return (name, found.kind, found.isLink)
      }
    }
  }

  /// - Parameters:
  ///   - type: the `d_type` of an entry, which describes a link and not its target, and which some
  ///     file systems do not report.
  ///   - status: reads the status of the entry with flags of fstatat(2).
  private static func kind(
    type: Int, status: (inout stat, Int32) -> Int32
  ) -> (kind: Kind, isLink: Bool) {
    switch type {
    case Int(DT_REG): return (.file, false)
    case Int(DT_DIR): return (.folder, false)
    case Int(DT_LNK), Int(DT_UNKNOWN):
      var own = stat()
      let isLink =
        type == Int(DT_LNK)
        || status(&own, AT_SYMLINK_NOFOLLOW) == 0 && own.st_mode & S_IFMT == S_IFLNK
      var target = stat()
      guard status(&target, 0) == 0 else { return (.other, isLink) }
      switch target.st_mode & S_IFMT {
      case S_IFREG: return (.file, isLink)
      case S_IFDIR: return (.folder, isLink)
      default: return (.other, isLink)
      }
    default: return (.other, false)
    }
  }
}
