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

  /// The paths that were read, each once; nil if they are not recorded.
  private let recordedReads: Mutex<RecordedReads?>

  private struct RecordedReads {
    var all: Set<String> = []
    /// Those outside of ``areExpectations`` whose file was not written before.
    var inputs: Set<String> = []
  }

  /// Whether files are read to be compared with output, and are not its input.
  @TaskLocal package static var areExpectations = false

  /// - Parameters:
  ///   - recordsReads: whether to record the paths that are read.
  ///   - makingFolder: creates a new folder on the first write; returns nil on failure.
  package init(recordsReads: Bool = false, makingFolder: @escaping @Sendable () -> String?) {
    recordedReads = Mutex(recordsReads ? RecordedReads() : nil)
    makeFolder = makingFolder
  }

  /// The original paths of the files that were read, sorted; empty if they are not recorded.
  package var reads: [String] { recordedReads.withLock { ($0?.all ?? []).sorted() } }

  /// The files among ``reads`` whose content, as it was before the first write, determined output.
  package var inputs: [String] { recordedReads.withLock { ($0?.inputs ?? []).sorted() } }

  /// The folder; nil before the first write.
  package var folder: String? { createdFolder.withLock { $0 } }

  /// The path from which to read a file; one without a file if ``SafeMode`` refuses it.
  package static func readable(_ path: String) -> String {
    if SafeMode.refusesReading(path) { return SafeMode.refusedPath }
    guard let current else { return path }
    let copy = current.copy(of: path)
    current.recordedReads.withLock { reads in
      _ = reads?.all.insert(path)
      if copy == nil, !areExpectations { _ = reads?.inputs.insert(path) }
    }
    return copy ?? path
  }

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
  ///   folder for the copy cannot be created; `denied` in ``SafeMode``.
  package static func writable(_ path: String) throws(TableError) -> String {
    try SafeMode.checkWriting(path)
    return try place(of: path)
  }

  /// The path as in ``writable(_:)``, for a file of the program itself, also in ``SafeMode``.
  package static func place(of path: String) throws(TableError) -> String {
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
    var realFolder = realPath(folder)
    if realFolder == nil {
      let code = errno
      realFolder = madeFolder(folder)
      // Errors report why the original folder was not found.
      if realFolder == nil { errno = code }
    }
    guard let realFolder else { return nil }
    return (realFolder == "/" ? "" : realFolder) + "/" + name
  }

  /// The absolute path of a folder that exists only in an overlay; nil if it does not.
  private static func madeFolder(_ path: String) -> String? {
    guard current != nil, let original = absolutePath(of: path) else { return nil }
    var overlay = current
    while let next = overlay {
      if let folder = next.folder, access(folder + original, F_OK) == 0 { return original }
      overlay = next.outer
    }
    return nil
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
