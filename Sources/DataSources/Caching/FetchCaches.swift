package import DataTables
import Glibc
import Synchronization

/// The caches of fetched results, by name: files in a folder, or texts in memory without a folder.
public final class FetchCaches: Sendable {
  private struct State {
    var texts: [String: String] = [:]
    var problems: [String] = []
  }
  private let folder: String?
  private let state = Mutex(State())

  private static let pathExtension = ".sections"

  /// - Parameter folder: created when the first cache is written; nil to keep caches in memory.
  public init(folder: String? = nil) { self.folder = folder }

  /// The folder of a user's caches: `dsshell/sections` in `XDG_CACHE_HOME`, else in `~/.cache`.
  ///
  /// - Parameter environment: looks up a variable.
  /// - Returns: nil if neither `XDG_CACHE_HOME` nor `HOME` is set.
  package static func userFolder(environment: (String) -> String?) -> String? {
    let cache = environment("XDG_CACHE_HOME") ?? environment("HOME").map { $0 + "/.cache" }
    return cache.map { $0 + "/dsshell/sections" }
  }

  /// The names of all caches, sorted.
  package var names: [String] {
    guard let folder else { return state.withLock { $0.texts.keys.sorted() } }
    return Folder.names(in: folder).compactMap { file in
      guard file.hasSuffix(Self.pathExtension) else { return nil }
      return PercentEncoding.text(of: file.dropLast(Self.pathExtension.count))
    }.sorted()
  }

  /// - Returns: whether the cache existed.
  /// - Throws: `TableError.io`.
  @discardableResult
  package func remove(_ name: String) throws(TableError) -> Bool {
    guard let path = path(name) else {
      return state.withLock { $0.texts.removeValue(forKey: name) != nil }
    }
    if unlink(path) == 0 { return true }
    if errno == ENOENT || errno == ENOTDIR { return false }
    throw OpenFile.failure("cannot remove", path)
  }

  /// The reasons why caches could not be written since the last call.
  package func takeProblems() -> [String] {
    state.withLock { state in
      defer { state.problems = [] }
      return state.problems
    }
  }

  /// The text of a cache; nil if it does not exist or cannot be read.
  func text(_ name: String) -> String? {
    guard let path = path(name) else { return state.withLock { $0.texts[name] } }
    return try? TextFile.read(path, cancellation: Cancellation())
  }

  func write(_ text: String, to name: String) {
    guard let path = path(name), let folder else {
      return state.withLock { $0.texts[name] = text }
    }
    do {
      Folder.make(folder)
      try WholeFile.write(Array(text.utf8), to: path)
    } catch {
      state.withLock { $0.problems.append("the cache `\(name)` was not kept: \(error.message)") }
    }
  }

  private func path(_ name: String) -> String? {
    folder.map { "\($0)/\(PercentEncoding.encoded(name))\(Self.pathExtension)" }
  }
}
