import DataTables
import Glibc

/// The files of a folder as responses to the paths of URLs.
struct FolderFiles {
  let folder: String
  /// The formats whose extensions are tried.
  let formats: FormatTable

  /// The file for a path within the folder.
  ///
  /// For `posts`, this is the first that exists of `posts`, `posts.json`, `posts.csv` and so on
  /// with the extensions of the formats, then `posts/index`, `posts/index.json` and so on. For a
  /// path that ends in a slash, it is the first `index` file. With a query, names such as
  /// `posts?page=2` and `posts?page=2.json` precede these.
  ///
  /// - Returns: Nil without a file.
  /// - Throws: ``TransportError/denied(_:)`` if the path or the file is outside of the folder.
  func file(for path: String, query: String) throws(TransportError) -> String? {
    let steps = path.split(separator: "/")
    guard !steps.contains(".."), !path.utf8.contains(0), !query.utf8.contains(0) else {
      throw outside(path)
    }
    let isFolder = steps.isEmpty || path.hasSuffix("/")
    let name = (steps.map { String($0) } + (isFolder ? ["index"] : [])).joined(separator: "/")
    var names = [name]
    // A slash in the query would separate folders.
    if !query.isEmpty, !query.contains("/") { names.insert(name + "?" + query, at: 0) }
    if !isFolder { names.append(name + "/index") }
    let extensions = [""] + (formats.extensions + ["txt"]).map { "." + $0 }
    for name in names {
      for suffix in extensions {
        let file = folder + "/" + name + suffix
        guard Self.isFile(file) else { continue }
        guard isInside(file) else { throw outside(path) }
        return file
      }
    }
    return nil
  }

  /// The content of a file, in pieces.
  static func body(of path: String) throws(TransportError) -> TransportBody {
    do {
      let file = try OpenFile(path: path)
      return TransportBody {
        while true {
          try Task.checkCancellation()
          if let piece = try file.readNext(1 << 16) { return piece.isEmpty ? nil : piece }
          file.waitForBytes()
        }
      }
    } catch {
      throw TransportError(error)
    }
  }

  static func isFile(_ path: String) -> Bool {
    var facts = stat()
    return stat(FileOverlay.readable(path), &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
  }

  /// Symbolic links may lead out of the folder.
  private func isInside(_ file: String) -> Bool {
    // A copy in the overlay is not a link.
    if FileOverlay.readable(file) != file { return true }
    guard let root = Self.realPath(folder), let path = Self.realPath(file) else { return false }
    return path.hasPrefix(root == "/" ? root : root + "/")
  }

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  private func outside(_ path: String) -> TransportError {
    .denied("`\(path)` leads out of \(folder.lastPathComponent), the folder of the stub")
  }
}

/// Media types by the extensions of files.
enum ContentType {
  /// Types of files that need not be in a format of the table.
  private static let documents = [
    "html": "text/html", "txt": "text/plain", "xml": "application/xml",
  ]

  static func ofFile(named path: String, formats: FormatTable) -> String {
    let name = path.split(separator: "/").last ?? ""
    let parts = name.split(separator: ".")
    let suffix = parts.count > 1 ? parts.last?.lowercased() : nil
    let type =
      suffix.flatMap { documents[$0] } ?? formats.format(ofFileNamed: path)?.mediaTypes.first
      ?? formats.codec(ofFileNamed: path)?.mediaTypes.first ?? "application/octet-stream"
    return type.hasPrefix("text/") ? type + "; charset=utf-8" : type
  }
}
