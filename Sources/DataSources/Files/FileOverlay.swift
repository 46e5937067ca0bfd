package import DataTables
import Glibc
import Synchronization

/// A folder that receives all writes to files, wherever the files are. A read finds the written
/// copy, or else the file itself.
///
/// Messages show the original paths. An overlay applies to the tasks that run within `withValue` of
/// ``$current``, and to tasks begun there.
package final class FileOverlay: Sendable {
  @TaskLocal package static var current: FileOverlay?

  private let made = Mutex<String?>(nil)
  private let makeFolder: @Sendable () -> String?
  /// The overlay that is read when the file was not written here.
  private let below = FileOverlay.current

  /// - Parameter makingFolder: makes a new folder on the first write; returns nil when it cannot.
  package init(makingFolder: @escaping @Sendable () -> String?) { makeFolder = makingFolder }

  /// The folder; nil before the first write.
  package var folder: String? { made.withLock { $0 } }

  /// The path from which to read a file.
  package static func readable(_ path: String) -> String { current?.copy(of: path) ?? path }

  /// The path at which to write a file.
  /// - Throws: `TableError.io` when the folder of the original path does not exist.
  package static func writable(_ path: String) throws(TableError) -> String {
    guard let current else { return path }
    guard let place = place(of: path) else { throw OpenFile.failure("cannot write", path) }
    guard let folder = current.folderToWrite() else {
      throw .io("cannot write `\(path)`: the folder for files written by tests is missing")
    }
    let slash = place.lastIndex(of: "/") ?? place.startIndex
    guard makeFolders(place[..<slash], in: folder) else {
      throw OpenFile.failure("cannot write", path)
    }
    return folder + place
  }

  private func copy(of path: String) -> String? {
    if let folder, let place = Self.place(of: path), access(folder + place, F_OK) == 0 {
      return folder + place
    }
    return below?.copy(of: path)
  }

  private func folderToWrite() -> String? {
    made.withLock { made in
      made = made ?? makeFolder()
      return made
    }
  }

  /// The absolute path without links; nil when the folder does not exist.
  private static func place(of path: String) -> String? {
    if let whole = real(path) { return whole }
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
    guard let whole = real(folder) else { return nil }
    return (whole == "/" ? "" : whole) + "/" + name
  }

  private static func real(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  private static func makeFolders(_ path: Substring, in folder: String) -> Bool {
    var made = folder
    for name in path.split(separator: "/") {
      made += "/" + name
      if mkdir(made, 0o700) != 0, errno != EEXIST { return false }
    }
    return true
  }
}
