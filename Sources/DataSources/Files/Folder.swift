import Glibc

/// The names in a folder, for completing paths.
package enum Folder {
  /// Sorted names, folders with a `/` at their end; empty when the folder cannot be read.
  package static func names(in path: String) -> [String] { readNames(in: path) ?? [] }

  /// The same; nil when the folder cannot be read, with the reason in `errno`.
  package static func readNames(in path: String) -> [String]? {
    guard let folder = opendir(path.isEmpty ? "." : path) else { return nil }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name != ".", name != ".." else { continue }
      // Links have to be resolved, and some file systems do not report the type.
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
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }
}
