package import DataTables
import Glibc
import Synchronization

/// The restrictions of `--safe`: no file is written, only files in certain places are read, no server
/// is reached, and variables of the environment have no value.
///
/// They apply to all sessions and threads of the process. Nothing ends them: no command leads to
/// ``begin(reading:)``.
package enum SafeMode {
  private struct Places {
    /// Absolute, without symbolic links, as bytes: strings with other bytes can be equal.
    let paths: [[UInt8]]
    /// As they were given, for streams, which have no such path.
    let names: [[UInt8]]
    /// The first place as messages show it.
    let shown: String
  }
  private static let places = Mutex<Places?>(nil)

  /// A path that no file can have: it is read in place of a refused one.
  static let refusedPath = "/dev/null/refused"

  package static var isOn: Bool { places.withLock { $0 != nil } }

  /// Begins the restrictions, or replaces the places.
  /// - Parameter paths: the folders and files that may be read, the folder of the script first; "" is
  ///   the working folder.
  package static func begin(reading paths: [String]) {
    // A place that cannot be resolved, such as a removed folder, allows nothing.
    let real = paths.compactMap { absolutePath(of: $0.isEmpty ? "." : $0) }
    let names = ([standardInput] + paths).map { Array($0.utf8) }
    let shown = paths.first.flatMap { $0.isEmpty ? nil : "`\($0)`" } ?? "the working folder"
    places.withLock { $0 = Places(paths: real, names: names, shown: shown) }
  }

  /// Whether the file at a path must not be read. A symbolic link counts as its target.
  /// - Complexity: some system calls, and none before ``begin(reading:)``.
  package static func refusesReading(_ path: String) -> Bool {
    guard let places = places.withLock({ $0 }) else { return false }
    guard let real = absolutePath(of: path) else {
      return !(path.hasPrefix("/dev/") && places.names.contains(Array(path.utf8)))
    }
    if path == standardInput { return false }
    return !places.paths.contains { place in
      real.starts(with: place)
        && (real.count == place.count || place.last == slash || real[place.count] == slash)
    }
  }

  private static let slash = UInt8(ascii: "/")
  /// `load -` reads it: the data are given to the program, like those on the command line.
  private static let standardInput = "/dev/stdin"

  /// - Throws: `TableError.denied`.
  package static func checkReading(_ path: String) throws(TableError) {
    if refusesReading(path) { throw readingError(path) }
  }

  static func readingError(_ path: String) -> TableError {
    let shown = places.withLock { $0?.shown } ?? ""
    return .denied(
      "`\(path)` cannot be read: `--safe` allows only files in \(shown) and those on the command "
        + "line")
  }

  /// - Throws: `TableError.denied`.
  package static func checkWriting(_ path: String) throws(TableError) {
    if isOn { throw .denied("`\(path)` cannot be written: `--safe` allows no writes") }
  }

  /// - Throws: `TableError.denied` for the value of a variable.
  package static func checkEnvironment(_ name: String) throws(TableError) {
    if isOn { throw .denied("`env \(name)` has no value: `--safe` hides the environment") }
  }

  /// - Parameter what: what would connect to a server, or be one.
  /// - Throws: `TableError.denied`.
  package static func checkConnection(_ what: String) throws(TableError) {
    if isOn { throw .denied("\(what): `--safe` allows no connections") }
  }

  /// The bytes of the absolute path without symbolic links, also of a file in a folder that does not
  /// exist; nil for a path through `..` in such a folder.
  private static func absolutePath(of path: String) -> [UInt8]? {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return Array(UnsafeBufferPointer(start: real, count: strlen(real))).map(
        UInt8.init(bitPattern:))
    }
    // A link to nothing could lead anywhere.
    if SymbolicLink.target(of: path) != nil { return nil }
    // As bytes: a slash and a combining character are one character.
    var folder = path.utf8[...]
    while folder.last == slash { folder.removeLast() }
    let name: Substring.UTF8View
    if let end = folder.lastIndex(of: slash) {
      name = folder[folder.index(after: end)...]
      folder = end == folder.startIndex ? "/".utf8[...] : folder[..<end]
    } else {
      (name, folder) = (folder, ".".utf8[...])
    }
    guard !name.isEmpty, ![".", ".."].contains(String(name)),
      let outer = absolutePath(of: String(folder) ?? "")
    else { return nil }
    return (outer == [slash] ? [] : outer) + [slash] + name
  }
}
