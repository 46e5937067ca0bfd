import DataSources
import Glibc

/// A temporary folder; ``remove()`` removes it with its content.
struct FreshFolder {
  let path: String

  /// Creates it in `TMPDIR`, or else in `/tmp`.
  /// - Throws: ``PoolError``.
  init() throws(PoolError) {
    let variable = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    let parent = variable.isEmpty ? "/tmp" : variable
    var template = Array("\(parent)/dsshell-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw .system("cannot create a folder for the tests in \(parent)")
    }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// - Returns: the path of a new folder in it, with the folders `home` and `tmp`.
  func makeWorkerFolder(_ name: String) throws(PoolError) -> String {
    let folder = path + "/" + name
    for path in [folder, folder + "/home", folder + "/tmp"] where mkdir(path, 0o700) != 0 {
      throw .system("cannot create `\(path)`")
    }
    return folder
  }

  func remove() { Self.remove(path) }

  static func remove(_ path: String) {
    for name in Folder.names(in: path) {
      let entry = path + "/" + name
      // For a link to a folder, the link is removed; its target is kept.
      let isGone = unlink(name.hasSuffix("/") ? String(entry.dropLast()) : entry) == 0
      if !isGone { remove(entry) }
    }
    rmdir(path)
  }
}

extension FileOverlay {
  /// An overlay whose first write creates a folder; the caller removes it.
  static func inFreshFolder(recordsReads: Bool = false) -> FileOverlay {
    FileOverlay(recordsReads: recordsReads) { (try? FreshFolder())?.path }
  }

  /// Runs `body` with a temporary folder. Files that `body` writes go to this folder and are read
  /// from it. The first write creates the folder, and the end of `body` removes it.
  /// - Parameter recordsReads: whether the overlay records the files that are read.
  static func withTemporaryFolder<Result>(
    recordsReads: Bool = false, isolation: isolated (any Actor)? = #isolation,
    _ body: () async -> Result
  ) async -> Result {
    let overlay = inFreshFolder(recordsReads: recordsReads)
    defer { if let folder = overlay.folder { FreshFolder.remove(folder) } }
    return await $current.withValue(overlay) {
      // This use captures the isolation. Without it `body` would run outside the actor, and fetches
      // could not continue while other commands run.
      _ = isolation
      return await body()
    }
  }
}
