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

  init(of path: String) {
    var folder = path.hasPrefix("/") ? "/" : "."
    var rest = Self.components(path)
    var links = 0
    while let name = rest.popLast() {
      let next = folder == "/" ? "/" + name : folder + "/" + name
      places.append(Place(folder: folder, name: name))
      if let target = SymbolicLink.target(of: next), links < SymbolicLink.maxLinks {
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
}
