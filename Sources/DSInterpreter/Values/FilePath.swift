import DataSources
import DataTables
import Glibc

/// Operations on file paths as they are typed, with `/` between folders.
package enum FilePath {
  /// Resolves a relative `path` from `folder`.
  package static func resolve(_ path: String, in folder: String) -> String {
    if path.hasPrefix("/") || folder.isEmpty { return path }
    return folder.hasSuffix("/") ? folder + path : folder + "/" + path
  }

  /// Replaces `~` at the start of a path with the home folder, where the environment has one and is
  /// not hidden.
  package static func expandingHome(_ path: String) -> String {
    guard !SafeMode.isOn, path == "~" || path.hasPrefix("~/"), let home = getenv("HOME"),
      home.pointee != 0
    else {
      return path
    }
    return String(cString: home) + path.dropFirst()
  }

  /// The path relative to `folder`, with `..` where it is needed.
  package static func relative(_ path: String, to folder: String) -> String {
    var target = parts(of: path)
    var base = parts(of: folder)
    if path.hasPrefix("/") || folder.hasPrefix("/") || base.first == ".." {
      target = parts(of: absolute(path))
      base = parts(of: absolute(folder))
    }
    let common = zip(target, base).prefix { $0 == $1 }.count
    let up = Array(repeating: "..", count: base.count - common)
    return (up + target.dropFirst(common)).joined(separator: "/")
  }

  /// The absolute path; a relative `path` starts in the working folder.
  package static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : workingFolder + "/" + path
  }

  /// The path in the syntax of scripts: a word, or a quoted string.
  package static func written(_ path: String) -> String {
    let isWord =
      !path.isEmpty
      && path.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || "/._-".unicodeScalars.contains($0)
      }
    return isWord ? path : Value.string(path).json
  }

  /// Whether a path names a regular file, also through a symbolic link.
  package static func isRegularFile(_ path: String) -> Bool {
    var status = stat()
    return !SafeMode.refusesReading(path) && stat(path, &status) == 0
      && status.st_mode & S_IFMT == S_IFREG
  }

  private static var workingFolder: String {
    guard let folder = getcwd(nil, 0) else { return "" }
    defer { free(folder) }
    return String(cString: folder)
  }

  /// The folders and the name, without `.` and with `..` resolved where possible.
  private static func parts(of path: String) -> [String] {
    var parts: [String] = []
    for part in path.split(separator: "/").map(String.init) where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    return parts
  }

  /// The part before the last slash; empty without a slash.
  package static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last part without its extension: `foods` of `data/foods.csv`.
  package static func stem(of path: String) -> String {
    let name = path.lastPathComponent
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }
}
