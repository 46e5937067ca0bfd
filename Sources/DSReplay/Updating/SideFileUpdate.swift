import DSInterpreter
import DataSources
import DataTables
import Glibc

/// The side files that an update changes, locked until it ends.
struct SideFileUpdate {
  private(set) var texts: [(path: String, text: String)] = []
  private var locks: [FileLock] = []

  /// - Throws: ``UpdateError`` if a file has changed since it was read, if another process updates
  ///   it, or if commands that share it have different output.
  init(_ files: [Correction.File], of script: ReplayScript) throws(UpdateError) {
    do throws(UpdateError) {
      for file in files { try add(file, all: files, of: script) }
    } catch {
      release()
      throw error
    }
  }

  func release() { for lock in locks { lock.release() } }

  private mutating func add(
    _ file: Correction.File, all files: [Correction.File], of script: ReplayScript
  ) throws(UpdateError) {
    let target = ReplacedFile.resolved(file.path)
    let same = files.filter { ReplacedFile.resolved($0.path) == target }
    let lines = script.linesNaming(target)
    if lines.count > same.count || same.contains(where: { $0.text != file.text }) {
      throw .sharedFile(file.path, lines: lines)
    }
    if texts.contains(where: { ReplacedFile.resolved($0.path) == target }) { return }
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

  /// - Returns: nil if the file does not exist or cannot be read.
  private static func stamp(of path: String) -> FileDigest? {
    guard let text = try? TextFile.read(path, cancellation: Cancellation()) else { return nil }
    var stamp = FileDigest()
    stamp.add(Array(text.utf8))
    return stamp
  }
}

extension ReplayScript {
  /// The lines that expect the content of a file.
  fileprivate func linesNaming(_ target: String) -> [Int] {
    let folder = FilePath.folder(of: path)
    return commands.flatMap(\.expectations).compactMap { expectation in
      guard case .file(let name) = expectation.kind,
        ReplacedFile.resolved(FilePath.resolve(name, in: folder)) == target
      else { return nil }
      return expectation.line
    }
  }
}
