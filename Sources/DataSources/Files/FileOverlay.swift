package import DataTables
import Glibc
import Synchronization

/// A folder that receives all writes to files, wherever the files are. A read returns the written
/// copy, or the file itself if no copy exists.
///
/// Messages show the original paths. An overlay applies to code that runs within `withValue` of
/// ``$current``, and to tasks created there.
package final class FileOverlay: Sendable {
  @TaskLocal package static var current: FileOverlay?

  private let createdFolder = Mutex<String?>(nil)
  private let makeFolder: @Sendable () -> String?
  /// The outer overlay, which may have copies of files that were not written to this overlay.
  private let outer = FileOverlay.current

  /// - Parameter makingFolder: creates a new folder on the first write; returns nil on failure.
  package init(makingFolder: @escaping @Sendable () -> String?) { makeFolder = makingFolder }

  /// The folder; nil before the first write.
  package var folder: String? { createdFolder.withLock { $0 } }

  /// The path from which to read a file.
  package static func readable(_ path: String) -> String { current?.copy(of: path) ?? path }

  /// The folders with the copies of the files that were written to a folder.
  static func copies(of path: String) -> [String] {
    var copies: [String] = []
    var overlay = current
    while let next = overlay {
      if let folder = next.folder, let original = absolutePath(of: path),
        access(folder + original, F_OK) == 0
      {
        copies.append(folder + original)
      }
      overlay = next.outer
    }
    return copies
  }

  /// The paths at which a file can appear: its own, and that of its copy.
  static func places(of path: String) -> [String] {
    guard let folder = current?.folder, let original = absolutePath(of: path) else { return [path] }
    return [path, folder + original]
  }

  /// The path at which to write a file.
  /// - Throws: `TableError.io` when the folder of the original path does not exist, or when a
  ///   folder for the copy cannot be created.
  package static func writable(_ path: String) throws(TableError) -> String {
    guard let current else { return path }
    guard let original = absolutePath(of: path) else {
      throw OpenFile.failure("cannot write", path)
    }
    guard let folder = current.folderForWriting() else {
      throw .io("cannot write `\(path)`: the folder for files written by tests is missing")
    }
    let slash = original.lastIndex(of: "/") ?? original.startIndex
    guard makeFolders(original[..<slash], in: folder) else {
      throw OpenFile.failure("cannot write", path)
    }
    return folder + original
  }

  private func copy(of path: String) -> String? {
    if let folder, let original = Self.absolutePath(of: path), access(folder + original, F_OK) == 0
    {
      return folder + original
    }
    return outer?.copy(of: path)
  }

  private func folderForWriting() -> String? {
    createdFolder.withLock { folder in
      folder = folder ?? makeFolder()
      return folder
    }
  }

  /// The absolute path without symbolic links; nil if the folder of the file does not exist.
  static func absolutePath(of path: String) -> String? {
    if let real = realPath(path) { return real }
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
    guard let realFolder = realPath(folder) else { return nil }
    return (realFolder == "/" ? "" : realFolder) + "/" + name
  }

  /// The absolute path of an existing file, without symbolic links; nil if it does not exist.
  static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  private static func makeFolders(_ path: Substring, in folder: String) -> Bool {
    var subfolder = folder
    for name in path.split(separator: "/") {
      subfolder += "/" + name
      if mkdir(subfolder, 0o700) != 0, errno != EEXIST { return false }
    }
    return true
  }
}
