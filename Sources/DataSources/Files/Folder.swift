import Glibc

/// Lists the names in a folder.
package enum Folder {
  /// The sorted names, with a trailing `/` for folders; empty if the folder cannot be read.
  package static func names(in path: String) -> [String] { readNames(in: path) ?? [] }

  /// The names as in ``names(in:)``; nil if the folder cannot be read, with the reason in `errno`.
  package static func readNames(in path: String) -> [String]? {
    guard let folder = opendir(path.isEmpty ? "." : path) else { return nil }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name != ".", name != ".." else { continue }
      // `d_type` describes a link, not its target, and some file systems do not report it.
      let isFolder =
        switch Int(entry.pointee.d_type) {
        case Int(DT_REG): false
        case Int(DT_DIR): true
        default: isFolder(path.isEmpty ? name : path + "/" + name)
        }
      names.append(isFolder ? name + "/" : name)
    }
    return names.sorted()
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
