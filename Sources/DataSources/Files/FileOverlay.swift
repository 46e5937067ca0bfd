package import DataTables
import Glibc
import Synchronization

/// A folder that takes all that is written to files, wherever they are; who reads one finds there
/// what was written, and the file itself otherwise.
///
/// Files keep their names in all that is told. It holds for the tasks that run within
/// ``$current``'s `withValue`, and those begun from there.
package final class FileOverlay: Sendable {
  @TaskLocal package static var current: FileOverlay?

  private let made = Mutex<String?>(nil)
  private let makeFolder: @Sendable () -> String?
  /// What is looked at when nothing was written here.
  private let below = FileOverlay.current

  /// - Parameter makingFolder: makes a new folder, when something is written for the first time;
  ///   nil when it cannot.
  package init(makingFolder: @escaping @Sendable () -> String?) { makeFolder = makingFolder }

  /// The folder; nil when nothing was written.
  package var folder: String? { made.withLock { $0 } }

  /// Where a file is that is to be read.
  package static func readable(_ path: String) -> String { current?.copy(of: path) ?? path }

  /// Where a file is to be written.
  /// - Throws: `TableError.io` when it could not be written at its own place either, for lack of
  ///   the folder it would be in.
  package static func writable(_ path: String) throws(TableError) -> String {
    guard let current else { return path }
    guard let place = place(of: path) else { throw OpenFile.failure("cannot write", path) }
    guard let folder = current.folderToWrite() else {
      throw .io("cannot write `\(path)`: there is no folder for what tests write")
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

  /// The whole path without links; nil when the folder is not there.
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
