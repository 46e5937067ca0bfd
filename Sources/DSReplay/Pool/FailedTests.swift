import DSInterpreter
import DataSources
import DataTables
import Glibc

/// The tests that failed when they were run last, for `--failed`, in a file of the user's cache: one
/// file for each folder that tests are run from.
package struct FailedTests: Sendable {
  let path: String
  /// As they are named from that folder, each in one way only.
  package private(set) var names: [String] = []

  /// - Parameter environment: variables; `XDG_CACHE_HOME`, else `HOME`, says where the cache is.
  /// - Returns: nil where there is no cache.
  package init?(environment: (String) -> String?) {
    guard let cache = environment("XDG_CACHE_HOME") ?? environment("HOME").map({ $0 + "/.cache" }),
      let folder = getcwd(nil, 0)
    else { return nil }
    defer { free(folder) }
    var digest = FileStamp()
    digest.add(Array(String(cString: folder).utf8))
    let place = String(digest.digest, radix: 16)
    self.init(path: "\(cache)/dsshell/failed-\(place).jsonl")
  }

  init(path: String) {
    self.path = path
    let text = (try? TextFile.read(path, cancellation: Cancellation())) ?? ""
    names = text.split(separator: "\n").compactMap { line in
      guard case .string(let name) = try? Value(json: String(line)) else { return nil }
      return Self.normalized(name)
    }
  }

  /// Forgets what was run and remembers what of it failed.
  package mutating func replace(run: [String], failed: [String]) {
    let old = names
    let forgotten = Set(run.map(Self.normalized))
    names = names.filter { !forgotten.contains($0) } + failed.map(Self.normalized)
    if names == old { return }
    Self.makeFolders(of: path)
    // A cache that cannot be written makes the next `--failed` an old one, and no test fail.
    try? ReplacedFile.write(names.map { Value.string($0).json + "\n" }.joined(), to: path)
  }

  /// `./a.ds` is `a.ds`.
  private static func normalized(_ name: String) -> String { FilePath.relative(name, to: "") }

  private static func makeFolders(of path: String) {
    var index = path.startIndex
    while let slash = path[index...].dropFirst().firstIndex(of: "/") {
      mkdir(String(path[..<slash]), 0o700)
      index = slash
    }
  }
}
