import DataTables
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

  /// The names as in ``names(in:)``, with those of files that were written to a ``FileOverlay``.
  static func allNames(in path: String) -> [String] {
    let copies = FileOverlay.copies(of: path.isEmpty ? "." : path)
    if copies.isEmpty { return names(in: path) }
    return Set(([path] + copies).flatMap { names(in: $0) }).sorted()
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(FileOverlay.readable(path), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether anything but a folder has the path.
  static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(FileOverlay.readable(path), &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
  }

  /// The paths of regular files, in the same order.
  /// - Throws: ``TableError/io(_:)`` for a name that is not UTF-8, which a string cannot hold.
  static func regularFiles(_ paths: [String]) throws(TableError) -> [String] {
    var files: [String] = []
    for path in paths {
      if isRegularFile(path) {
        files.append(path)
      } else if path.unicodeScalars.contains("\u{FFFD}"), !isFile(path) {
        throw .io("the name of `\(path)` is not UTF-8; rename the file")
      }
    }
    return files
  }

  /// Whether a regular file, or a link to one, has the path: a load of several files leaves out
  /// pipes and devices, which may not end.
  static func isRegularFile(_ path: String) -> Bool {
    var status = stat()
    return stat(FileOverlay.readable(path), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  static func isEmptyFile(_ path: String) -> Bool {
    var status = stat()
    return stat(FileOverlay.readable(path), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && status.st_size == 0
  }

  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }
}
