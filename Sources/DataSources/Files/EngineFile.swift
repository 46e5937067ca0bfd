package import DataTables
import Glibc

/// A file that a library opens by its path, such as that of an embedded database.
package enum EngineFile {
  /// The first bytes of a file; nil if it does not exist.
  /// - Throws: `TableError`: `io`, `denied`.
  package static func firstBytes(
    _ count: Int, of path: String
  ) throws(TableError) -> [UInt8]? {
    try SafeMode.checkReading(path)
    guard WholeFile.exists(path) else { return nil }
    let file = try OpenFile(path: path)
    return try file.readNext(count) ?? []
  }

  /// The path that the library opens, which begins with `/` or `./`: SQLite reads `file:` as a URI and
  /// `:memory:` as a name. In a test, a file that may be written is copied first, so that the test
  /// does not change it.
  /// - Throws: `TableError`: `io`, `denied`.
  package static func path(
    of path: String, isWritable: Bool
  ) throws(TableError) -> String {
    try SafeMode.checkReading(path)
    let readable = FileOverlay.readable(path)
    if isWritable { try WholeFile.check(path) }
    guard isWritable, FileOverlay.current != nil else { return Self.plain(readable) }
    let target = try FileOverlay.writable(path)
    if target != readable, WholeFile.exists(path) {
      let file = try OpenFile(path: path)
      var bytes: [UInt8] = []
      while let piece = try file.readNext(1 << 20), !piece.isEmpty { bytes += piece }
      try WholeFile.write(bytes, to: path)
    }
    return Self.plain(target)
  }

  private static func plain(_ path: String) -> String {
    path.hasPrefix("/") ? path : "./" + path
  }

  /// Removes a file without content, which a library made and did not write.
  /// - Parameter path: as the library opens it.
  package static func removeIfEmpty(_ path: String) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 {
      unlink(path)
    }
  }
}
