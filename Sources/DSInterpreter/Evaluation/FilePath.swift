import DataTables
import Glibc

/// The parts of file paths as they are typed, with `/` between folders.
package enum FilePath {
  /// `path`, taken from `folder` when it is relative.
  package static func resolve(_ path: String, in folder: String) -> String {
    if path.hasPrefix("/") || folder.isEmpty { return path }
    return folder.hasSuffix("/") ? folder + path : folder + "/" + path
  }

  /// A path as it is written in a script that stands in `folder`.
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

  /// A path that says the same from any folder.
  package static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : workingFolder + "/" + path
  }

  /// As a word of a script, in quotes where it is none.
  package static func written(_ path: String) -> String {
    let isWord =
      !path.isEmpty
      && path.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || "/._-".unicodeScalars.contains($0)
      }
    return isWord ? path : Value.string(path).json
  }

  private static var workingFolder: String {
    guard let folder = getcwd(nil, 0) else { return "" }
    defer { free(folder) }
    return String(cString: folder)
  }

  /// Its folders and its name, those that lead nowhere left out.
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

  /// What stands before the last slash; empty when there is none.
  package static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last part without its extension: `foods` of `data/foods.csv`.
  package static func stem(of path: String) -> String {
    let name = name(of: path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  package static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

extension Session {
  /// The path of a file that an argument names.
  mutating func resolve(_ path: String, at argument: Argument) -> String {
    let resolved = FilePath.resolve(path, in: options.folder)
    // An absolute path says the same everywhere.
    if argument.text != nil, !path.hasPrefix("/") {
      execution.replace(argument.span, by: .path(resolved))
    }
    return resolved
  }
}
