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

  /// The files that are selected.
  struct Files {
    /// Sorted; at least one.
    var paths: [String]
    /// The folders that cannot be read, in which files may match.
    var unreadable: [String] = []
  }

  /// - Throws: `TableError`: `io` if no file is selected, or for a name that is not UTF-8;
  ///   `badArgument` for a folder with files of several formats; `limit`, `cancelled`.
  func files(formats: FormatTable, cancellation: Cancellation) throws(TableError) -> Files {
    switch form {
    case .pattern(let pattern):
      let matches = try pattern.matches(cancellation: cancellation)
      if let path = matches.unnamed.min() { throw FolderEntry.nameError(path) }
      guard !matches.files.isEmpty else {
        if let failure = matches.failure { throw failure }
        let hint = try Self.hint(name(of: pattern.folder), pattern.folder)
        throw .io("no file matches `\(name)`" + hint)
      }
      return Files(paths: matches.files.sorted(), unreadable: matches.unreadable)
    case .folder:
      let start = self.start
      let entries = try visibleEntries
      if let entry = entries.first(where: { $0.kind == .unnamed }) {
        throw FolderEntry.nameError(start + entry.name)
      }
      let files = entries.filter { $0.kind == .file }.map(\.name)
      guard !files.isEmpty else {
        throw .io(
          "the folder `\(name)` has no files"
            + (entries.isEmpty ? "" : "; \(loading(start, "**")) loads those of its folders"))
      }
      try check(files, start, formats)
      return Files(paths: files.map { start + $0 })
    }
  }

  /// The path of the folder with a trailing `/`.
  private var start: String { path.hasSuffix("/") ? path : path + "/" }

  private var visibleEntries: [FolderEntry] {
    get throws(TableError) {
      try Folder.entries(in: path).filter { !$0.name.hasPrefix(".") }
    }
  }

  /// The folders in which files can be selected, those with the copies that a test has written, and
  /// the files that are symbolic links: changes of their targets are not events of a folder.
  /// - Throws: `TableError`: `limit` for too many files, `cancelled`.
  func observedPaths(cancellation: Cancellation) throws(TableError) -> ObservedPaths {
    let links: [String]
    let folders: [String]
    switch form {
    case .folder:
      links = try visibleEntries.filter { $0.isLink && $0.kind != .folder }.map { start + $0.name }
      folders = [path]
    case .pattern(let pattern):
      let matches = try pattern.matches(cancellation: cancellation)
      (links, folders) = (matches.links, matches.folders)
    }
    return ObservedPaths(
      files: links, folders: folders.flatMap { FileOverlay.places(of: $0.isEmpty ? "." : $0) })
  }

  /// The names in a folder, as a hint for a pattern that matches none of them.
  private static func hint(_ name: String, _ folder: String) throws(TableError) -> String {
    let shown = name.isEmpty ? "the folder" : "`\(name)`"
    guard Folder.isFolder(folder.isEmpty ? "." : folder) else {
      return "; the folder \(shown) does not exist"
    }
    let names = try Folder.entries(in: folder).filter { !$0.name.hasPrefix(".") }
      .map { $0.kind == .folder ? $0.name + "/" : $0.name }
    let more = names.count > 3 ? ", …" : ""
    return names.isEmpty
      ? "; \(shown) is empty" : "; \(shown) has " + names.prefix(3).joined(separator: ", ") + more
  }

  /// The command that loads the files of a folder that match a pattern of names, in backticks.
  private func loading(_ folder: String, _ names: String) -> String {
    let path = Value.string(FilePattern.escaped(name(of: folder)) + names).json
    return "`load \(path.replacing("`", with: "\\u0060"))`"
  }

  /// - Throws: `TableError.badArgument` that lists the formats, unless all files have one format.
  private func check(
    _ files: [String], _ start: String, _ formats: FormatTable
  ) throws(TableError) {
    var groups: [FileGroup] = []
    for file in files {
      let format = formats.format(ofContentIn: file)
      let name = format?.name ?? formats.end(of: file)
      if let index = groups.firstIndex(where: { $0.name == name }) {
        groups[index].files.append(file)
      } else {
        groups.append(FileGroup(name: name, isFormat: format != nil, files: [file]))
      }
    }
    guard groups.count > 1 else { return }
    let fix = pattern(of: groups, formats).map { "load those of one format: \(loading(start, $0))" }
    throw .badArgument(
      "the folder `\(name)` has files of several formats: "
        + groups.map(\.description).joined(separator: ", ") + "; "
        + (fix ?? "load one of them by its path"))
  }

  /// The pattern that matches the most files of one format, and no others; files of a known format
  /// come first.
  private func pattern(of groups: [FileGroup], _ formats: FormatTable) -> String? {
    var best: (pattern: String, rank: (Int, Int))?
    for group in groups {
      for end in Set(group.files.map(formats.end)).sorted() where !end.isEmpty {
        let pattern = "*" + FilePattern.escaped(end)
        let names = NamePattern(pattern[...])
        let others = groups.filter { $0.name != group.name }.flatMap(\.files)
        guard !others.contains(where: { names.matches($0[...]) }) else { continue }
        let rank = (group.isFormat ? 1 : 0, group.files.count { names.matches($0[...]) })
        if rank > best?.rank ?? (0, 0) { best = (pattern, rank) }
      }
    }
    return best?.pattern
  }
}

/// The files of a folder that have one format, or else one extension.
private struct FileGroup: CustomStringConvertible {
  let name: String
  let isFormat: Bool
  var files: [String]

  /// `3 csv (a.csv, b.csv, …)`
  var description: String {
    let some = files.prefix(2).joined(separator: ", ") + (files.count > 2 ? ", …" : "")
    return "\(files.count) \(name.isEmpty ? "without an extension" : name) (\(some))"
  }
}

extension FormatTable {
  /// The format whose extension a file name has, before the extensions of codecs: CSV for
  /// `people.csv.gz`.
  fileprivate func format(ofContentIn file: String) -> (any TableFormat)? {
    let name = file.lowercased()
    return format(ofFileNamed: codecEnd(of: name).map { String(name.dropLast($0)) } ?? name)
  }

  /// The extension with that of a codec: `.csv.gz`; "" for a name without an extension.
  fileprivate func end(of file: String) -> String {
    let end = codecEnd(of: file.lowercased()) ?? 0
    let name = file.dropLast(end)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
      return String(file.suffix(end))
    }
    return String(file[dot...])
  }

  /// The number of characters of a codec's extension with its dot; nil without one.
  private func codecEnd(of name: String) -> Int? {
    codecs.flatMap(\.extensions).first { name.hasSuffix("." + $0) }.map { $0.count + 1 }
  }
}
