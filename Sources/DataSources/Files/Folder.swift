import DataTables
import Glibc

/// Lists the contents of folders, and makes folders.
package enum Folder {
  /// The sorted names, with a trailing `/` for folders; empty if the folder cannot be read.
  package static func names(in path: String) -> [String] { readNames(in: path) ?? [] }

  /// The names as in ``names(in:)``; nil if the folder cannot be read, with the reason in `errno`.
  package static func readNames(in path: String) -> [String]? {
    readEntries(in: path)?.map { $0.kind == .folder ? $0.name + "/" : $0.name }.sorted()
  }

  /// The contents of a folder with the files that were written to a ``FileOverlay``, sorted by name;
  /// empty if the folder does not exist.
  /// - Throws: `TableError.io` if the folder cannot be read.
  static func entries(in path: String) throws(TableError) -> [FolderEntry] {
    let path = path.isEmpty ? "." : path
    var entries: [FolderEntry] = []
    if let found = readEntries(in: path) {
      entries = found
    } else if errno != ENOENT, errno != ENOTDIR {
      throw OpenFile.failure("cannot open", path)
    }
    let copies = FileOverlay.copies(of: path)
    if !copies.isEmpty {
      // The copy of the innermost overlay, which is the first one, is read.
      let all = copies.flatMap { readEntries(in: $0) ?? [] } + entries
      entries = Array(Dictionary(all.map { ($0.name, $0) }) { first, _ in first }.values)
    }
    return entries.sorted { $0.name < $1.name }
  }

  /// The contents of a folder; nil if it cannot be read, with the reason in `errno`.
  private static func readEntries(in path: String) -> [FolderEntry]? {
    let path = path.isEmpty ? "." : path
    if SafeMode.refusesReading(path) {
      errno = EACCES
      return nil
    }
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var entries: [FolderEntry] = []
    while let entry = readdir(folder) {
      let entry = FolderEntry(entry, in: folder)
      if entry.name != ".", entry.name != ".." { entries.append(entry) }
    }
    return entries
  }

  /// Makes a folder, and those that contain it, for its owner only. A failure appears when a file in
  /// it is written.
  package static func make(_ path: String) {
    var index = path.startIndex
    while let slash = path[index...].dropFirst().firstIndex(of: "/") {
      mkdir(String(path[..<slash]), 0o700)
      index = slash
    }
    mkdir(path, 0o700)
  }

  /// Creates a folder unless it exists, and those that contain it; in a test, in the overlay.
  /// - Throws: `TableError.io` if it cannot be created.
  static func create(_ path: String) throws(TableError) {
    if isFolder(path) { return }
    var parent = path[...]
    while parent.last == "/" { parent.removeLast() }
    if let slash = parent.lastIndex(of: "/"), slash != parent.startIndex {
      try create(String(parent[..<slash]))
    }
    // Another program may create the same folder meanwhile.
    guard mkdir(try FileOverlay.writable(String(parent)), 0o777) == 0 || isFolder(path) else {
      throw OpenFile.failure("cannot create", path)
    }
  }

  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(FileOverlay.readable(path), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether anything but a folder has the path.
  static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(FileOverlay.readable(path), &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
  }

  static func isEmptyFile(_ path: String) -> Bool {
    var status = stat()
    return stat(FileOverlay.readable(path), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && status.st_size == 0
  }
}
