import DataSources
import Glibc
import Synchronization

/// A temporary folder; ``remove()`` removes it with its content.
///
/// The process has it locked as long as it is in use. A run that is killed leaves it without a lock.
struct FreshFolder {
  let path: String

  private static let prefix = "dsshell-test-"
  /// The descriptors of the folders in use, by path.
  private static let locks = Mutex<[String: Int32]>([:])

  private static var parent: String {
    let variable = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    return variable.isEmpty ? "/tmp" : variable
  }

  /// Creates it in `TMPDIR`, or else in `/tmp`.
  /// - Throws: ``PoolError``.
  init() throws(PoolError) {
    let parent = Self.parent
    var template = Array("\(parent)/\(Self.prefix)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw .system("cannot create a folder for the tests in \(parent)")
    }
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    self.path = path
    if let lock = Self.lock(path) { Self.locks.withLock { $0[path] = lock } }
  }

  /// - Returns: the descriptor of a folder with its lock; nil if another process has it locked.
  private static func lock(_ path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
    close(descriptor)
    return nil
  }

  /// Removes the folders that killed runs of this user left more than an hour ago. A younger one may
  /// belong to a run that has yet to lock it.
  static func removeLeftovers() {
    for name in Folder.names(in: parent) where name.hasPrefix(prefix) && name.hasSuffix("/") {
      let path = "\(parent)/\(name.dropLast())"
      guard let descriptor = lock(path) else { continue }
      var status = stat()
      let isLeft =
        fstat(descriptor, &status) == 0 && status.st_uid == geteuid()
        && status.st_mtim.tv_sec < time(nil) - 3600
      if isLeft { remove(path) }
      close(descriptor)
    }
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
    defer { if let lock = locks.withLock({ $0.removeValue(forKey: path) }) { close(lock) } }
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
