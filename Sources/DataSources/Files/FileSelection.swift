import DataTables

/// The files that are loaded together: those that match a pattern, or those in a folder.
struct FileSelection: Sendable {
  private enum Form {
    case folder
    case pattern(FilePattern)
  }
  /// The path as it is read.
  let path: String
  private let form: Form
  /// The folder to which shown paths are relative; "" shows the paths as they are read.
  private let root: String

  /// nil for the path of one file, which may also have characters of a pattern.
  init?(_ path: String, root: String) {
    if Folder.isFolder(path) {
      form = .folder
    } else if let pattern = FilePattern(path), !Folder.isFile(path) {
      form = .pattern(pattern)
    } else {
      return nil
    }
    self.path = path
    self.root = root
  }

  /// The path as it is shown.
  var name: String { name(of: path) }

  /// The path of a file as it is shown.
  func name(of path: String) -> String {
    let start = root.hasSuffix("/") ? root : root + "/"
    return !root.isEmpty && path.hasPrefix(start) ? String(path.dropFirst(start.count)) : path
  }

  /// The paths of the files, sorted; at least one.
  ///
  /// - Throws: `TableError`: `io` if no file is selected, `badArgument` for a folder with files of
  ///   several formats.
  func paths(formats: FormatTable, cancellation: Cancellation) throws(TableError) -> [String] {
    switch form {
    case .pattern(let pattern):
      let paths = try pattern.paths(cancellation: cancellation)
      guard !paths.isEmpty else {
        throw .io("no file matches `\(name)`" + Self.hint(name(of: pattern.folder), pattern.folder))
      }
      return paths
    case .folder:
      let start = path.hasSuffix("/") ? path : path + "/"
      let names = Folder.allNames(in: path).filter { !$0.hasPrefix(".") }
      let files = try Folder.regularFiles(
        names.filter { !$0.hasSuffix("/") }.map { start + $0 }
      ).map { String($0.dropFirst(start.count)) }
      guard !files.isEmpty else {
        throw .io(
          "the folder `\(name)` has no files"
            + (names.isEmpty ? "" : "; `load \"\(name(of: start))**\"` loads those of its folders"))
      }
      try check(files, start, formats)
      return files.map { start + $0 }
    }
  }

  /// The folders in which files can be selected, and those with the copies that a test has written.
  var folders: [String] {
    let folders: [String] =
      switch form {
      case .folder: [path]
      case .pattern(let pattern): pattern.folders
      }
    return folders.flatMap { FileOverlay.places(of: $0.isEmpty ? "." : $0) }
  }

  /// The files that are symbolic links: changes of their targets are not events of a folder.
  var links: [String] {
    switch form {
    case .folder:
      let start = path.hasSuffix("/") ? path : path + "/"
      return Folder.allNames(in: path).filter { !$0.hasPrefix(".") && !$0.hasSuffix("/") }
        .map { start + $0 }.filter(Folder.isLink)
    case .pattern(let pattern):
      return ((try? pattern.paths(cancellation: Cancellation())) ?? []).filter(Folder.isLink)
    }
  }

  /// The names in a folder, as a hint for a pattern that matches none of them.
  private static func hint(_ name: String, _ folder: String) -> String {
    let shown = name.isEmpty ? "the folder" : "`\(name)`"
    guard Folder.isFolder(folder.isEmpty ? "." : folder) else {
      return "; the folder \(shown) does not exist"
    }
    let names = Folder.allNames(in: folder).filter { !$0.hasPrefix(".") }
    let more = names.count > 3 ? ", …" : ""
    return names.isEmpty
      ? "; \(shown) is empty" : "; \(shown) has " + names.prefix(3).joined(separator: ", ") + more
  }

  /// - Throws: `TableError.badArgument` that lists the formats, unless all files have one format.
  private func check(
    _ files: [String], _ start: String, _ formats: FormatTable
  ) throws(TableError) {
    var groups: [(format: String, files: [String])] = []
    for file in files {
      let format = formats.format(ofContentIn: file)?.name ?? Self.end(of: file)
      if let index = groups.firstIndex(where: { $0.format == format }) {
        groups[index].files.append(file)
      } else {
        groups.append((format, [file]))
      }
    }
    guard groups.count > 1 else { return }
    let listed = groups.map { group in
      let some =
        group.files.prefix(2).joined(separator: ", ") + (group.files.count > 2 ? ", …" : "")
      return "\(group.files.count) \(group.format) (\(some))"
    }
    let largest = groups.max { $0.files.count < $1.files.count }?.files.first ?? ""
    let pattern = name(of: start) + "*" + Self.end(of: largest)
    throw .badArgument(
      "the folder `\(name)` has files of several formats: \(listed.joined(separator: ", ")); "
        + "load those of one format: `load \"\(pattern)\"`")
  }

  /// `.csv`; "" for a name without an extension.
  private static func end(of file: String) -> String {
    guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return "" }
    return String(file[dot...])
  }
}

extension FormatTable {
  /// The format whose extension a file name has, before the extensions of codecs: CSV for
  /// `people.csv.gz`.
  fileprivate func format(ofContentIn file: String) -> (any TableFormat)? {
    let name = file.lowercased()
    let end = codecs.flatMap(\.extensions).first { name.hasSuffix("." + $0) }
    return format(ofFileNamed: end.map { String(name.dropLast($0.utf8.count + 1)) } ?? name)
  }
}
