import DSInterpreter
import DataSources
import DataTables

/// The files of a script that runs once for each file (`each NAME in PATTERN`).
struct EachFile: Sendable {
  let name: String
  /// The line of the directive.
  let line: Int
  /// Sorted by their bytes, at least one; relative to the folder of the script if the pattern is.
  let files: [String]
  /// The folders in which other files may match.
  let folders: [String]

  struct Failure: Error {
    let message: String
  }

  /// - Parameters:
  ///   - pattern: a pattern, or the path of a file.
  ///   - path: the path of the script.
  /// - Throws: the reason why no file is known.
  init(name: String, pattern: String, line: Int, ofScriptAt path: String) throws(Failure) {
    self.line = line
    let start = FilePath.folder(of: path)
    let expanded = FilePath.expandingHome(pattern)
    let resolved = FilePath.resolve(expanded, in: start)
    self.name = name
    do throws(TableError) {
      if FilePattern(resolved) == nil { try SafeMode.checkReading(resolved) }
    } catch {
      throw Failure(message: error.message)
    }
    guard let selection = FilePattern(resolved), !FilePath.isRegularFile(resolved) else {
      guard FilePath.isRegularFile(resolved) else {
        throw Failure(
          message: Folder.isFolder(resolved)
            ? "`\(pattern)` is a folder; write `\(pattern.hasSuffix("/") ? pattern : pattern + "/")*`"
            : "no file is named `\(pattern)`")
      }
      files = [expanded]
      folders = [FilePath.folder(of: resolved)]
      return
    }
    let found: [String]
    do throws(TableError) {
      try SafeMode.checkReading(selection.folder)
      folders = try selection.folders(cancellation: Cancellation())
      found = try selection.files(cancellation: Cancellation())
    } catch {
      throw Failure(message: error.message)
    }
    guard !found.isEmpty else {
      throw Failure(message: "no file matches `\(pattern)`")
    }
    let prefix = start.isEmpty || start.hasSuffix("/") ? start : start + "/"
    let isRelative = !expanded.hasPrefix("/")
    files = found.map {
      isRelative && $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0
    }
  }
}
