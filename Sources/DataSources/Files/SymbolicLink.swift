import Glibc

enum SymbolicLink {
  /// The number of links after which the system gives up (path_resolution(7)).
  static let maxLinks = 40

  /// The path that a symbolic link names, relative to its folder or absolute; nil if `path` is not a
  /// symbolic link.
  static func target(of path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        characters.baseAddress.map { readlink(path, $0, characters.count) } ?? -1
      }
    }
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}
