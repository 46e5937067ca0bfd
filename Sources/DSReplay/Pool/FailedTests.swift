import DSInterpreter
import DataSources
import DataTables
import Glibc

/// The tests that failed in their last run, for `--failed`. They are stored in the user's cache, in
/// one file for each working folder.
package struct FailedTests: Sendable {
  let path: String
  /// Normalized paths relative to the working folder.
  package private(set) var names: [String] = []

  /// - Parameter environment: looks up a variable; `XDG_CACHE_HOME`, or else `HOME`, determines the
  ///   cache.
  /// - Returns: nil if neither variable is set, or the working folder was removed.
  package init?(environment: (String) -> String?) {
    guard let cache = environment("XDG_CACHE_HOME") ?? environment("HOME").map({ $0 + "/.cache" }),
      let folder = getcwd(nil, 0)
    else { return nil }
    defer { free(folder) }
    var digest = FileDigest()
    digest.add(Array(String(cString: folder).utf8))
    let folderName = String(digest.digest, radix: 16)
    self.init(path: "\(cache)/dsshell/failed-\(folderName).jsonl")
  }

  init(path: String) {
    self.path = path
    names = Self.names(in: path)
  }

  private static func names(in path: String) -> [String] {
    let text = (try? TextFile.read(path, cancellation: Cancellation())) ?? ""
    return text.split(separator: "\n").compactMap { line in
      guard case .string(let name) = try? Value(json: String(line)) else { return nil }
      return normalized(name)
    }
  }

  /// Removes the tests that were run as a whole and adds those that failed. Keeps all other tests,
  /// including those that another run has added meanwhile.
  package mutating func replace(run: [String], failed: [String]) {
    if failed.isEmpty, Self.names(in: path).isEmpty {
      names = []
      return
    }
    let removed = Set((run + failed).map(Self.normalized))
    let scripts = Set(run.map(Self.normalized))
    let folder = FilePath.folder(of: path)
    Folder.make(folder)
    let lock = FileLock.waiting(for: folder)
    defer { lock?.release() }
    let old = Self.names(in: path)
    names =
      old.filter { !removed.contains($0) && !scripts.contains(Self.script(of: $0)) }
      + failed.map(Self.normalized)
    if names == old { return }
    // If the cache cannot be written, the next `--failed` uses the old list; no test fails.
    try? ReplacedFile.write(names.map { Value.string($0).json + "\n" }.joined(), to: path)
  }

  /// `a.ds` for the selected line `a.ds:9`.
  private static func script(of name: String) -> String {
    guard let colon = name.lastIndex(of: ":"), Int(name[name.index(after: colon)...]) != nil else {
      return name
    }
    return String(name[..<colon])
  }

  /// `./a.ds` becomes `a.ds`.
  private static func normalized(_ name: String) -> String { FilePath.relative(name, to: "") }
}
