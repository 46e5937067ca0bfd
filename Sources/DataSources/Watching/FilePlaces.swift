import Glibc

/// The folders in which a change can make a path lead to another file: those on the way to the file,
/// also through symbolic links.
struct FilePlaces: Equatable {
  /// A name in a folder.
  struct Place: Hashable {
    let folder: String
    let name: String
  }
  private(set) var places: [Place] = []
  /// The file itself; nil if the path leads to no file.
  private(set) var file: String?

  /// The number of links after which the system gives up (path_resolution(7)).
  private static let maxLinks = 40

  init(of path: String) {
    var folder = path.hasPrefix("/") ? "/" : "."
    var rest = Self.components(path)
    var links = 0
    while let name = rest.popLast() {
      let next = folder == "/" ? "/" + name : folder + "/" + name
      places.append(Place(folder: folder, name: name))
      if let target = Self.target(ofLink: next), links < Self.maxLinks {
        links += 1
        if target.hasPrefix("/") { folder = "/" }
        rest += Self.components(target)
      } else if rest.isEmpty || access(next, F_OK) != 0 {
        // A missing folder is awaited in the last one that exists.
        file = rest.isEmpty && access(next, F_OK) == 0 ? next : nil
        return
      } else {
        folder = next
      }
    }
  }

  /// In reverse order.
  private static func components(_ path: String) -> [String] {
    path.split(separator: "/").filter { $0 != "." }.reversed().map(String.init)
  }

  private static func target(ofLink path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        characters.baseAddress.map { readlink(path, $0, characters.count) } ?? -1
      }
    }
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}
