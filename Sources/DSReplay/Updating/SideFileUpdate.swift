import DSInterpreter
import DataSources
import DataTables
import Glibc

/// The side files that an update changes, locked until it ends.
struct SideFileUpdate {
  private(set) var texts: [(path: String, text: String)] = []
  private var locks: [FileLock] = []

  /// - Parameters:
  ///   - inputs: the files that commands of the script read.
  ///   - users: the scripts of the run.
  /// - Throws: ``UpdateError`` if a file has changed since it was read, if another process updates
  ///   it, if commands that share it have different output, or if it is a script or data.
  init(
    _ files: [Correction.File], of script: ReplayScript, inputs: [String], _ users: SideFileUsers
  ) throws(UpdateError) {
    let inputs = Set(inputs.map(ReplacedFile.resolved))
    do throws(UpdateError) {
      for file in files { try add(file, all: files, of: script, inputs, users) }
    } catch {
      release()
      throw error
    }
  }

  func release() { for lock in locks { lock.release() } }

  private mutating func add(
    _ file: Correction.File, all files: [Correction.File], of script: ReplayScript,
    _ inputs: Set<String>, _ users: SideFileUsers
  ) throws(UpdateError) {
    let target = ReplacedFile.resolved(file.path)
    guard Self.isBelow([FilePath.folder(of: script.path), ""], target) else {
      throw .outside(file.path)
    }
    if users.isScript(target) || target == ReplacedFile.resolved(script.path) {
      throw .replacesScript(file.path)
    }
    if inputs.contains(target) { throw .replacesData(file.path) }
    if let other = users.conflict(with: file, of: script.path) {
      throw .conflict(file.path, with: other)
    }
    let same = files.filter { ReplacedFile.resolved($0.path) == target }
    let lines = script.sideFiles.filter { $0.target == target }.map(\.line)
    if lines.count > same.count || same.contains(where: { $0.text != file.text }) {
      throw .sharedFile(file.path, lines: lines)
    }
    if texts.contains(where: { ReplacedFile.resolved($0.path) == target }) { return }
    // Another script of the run, whose output is the same, has written it.
    if Self.text(of: file.path) == file.text { return }
    if file.stamp != nil {
      do throws(UpdateError) {
        locks.append(try FileLock(file.path))
      } catch .locked {
        throw .lockedFile(file.path)
      }
    }
    guard Self.stamp(of: file.path) == file.stamp else { throw .changedFile(file.path) }
    texts.append((file.path, file.text))
  }

  /// Whether a file is in one of some folders, or in a folder below it, behind all links.
  private static func isBelow(_ folders: [String], _ target: String) -> Bool {
    func resolved(_ folder: String) -> String {
      ReplacedFile.resolved(folder.isEmpty ? "." : folder)
    }
    let home = resolved(FilePath.folder(of: target))
    return folders.map(resolved).contains { home == $0 || $0 == "/" || home.hasPrefix($0 + "/") }
  }

  private static func text(of path: String) -> String? {
    try? TextFile.read(path, cancellation: Cancellation())
  }

  /// - Returns: nil if the file does not exist or cannot be read.
  private static func stamp(of path: String) -> FileDigest? {
    guard let text = text(of: path) else { return nil }
    var stamp = FileDigest()
    stamp.add(Array(text.utf8))
    return stamp
  }
}
