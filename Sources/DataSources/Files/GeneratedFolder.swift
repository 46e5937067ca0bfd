package import DataTables

/// A folder of files that a command writes anew each time.
///
/// Each file begins with the same mark, by which those of an earlier run are recognized; no other file
/// is ever replaced.
package struct GeneratedFolder {
  private let path: String
  private let mark: [UInt8]
  /// The names of what the folder contains; nil if it does not exist.
  private let entries: [FolderEntry]?

  /// - Parameter mark: the beginning of each file.
  /// - Throws: `TableError.io` if the path is that of a file, or if the folder cannot be read.
  package init(_ path: String, mark: String) throws(TableError) {
    self.path = path
    self.mark = Array(mark.utf8)
    if Folder.isFile(path) { throw .io("`\(path)` is a file, not a folder") }
    entries = Folder.isFolder(path) ? try Folder.entries(in: path) : nil
  }

  /// The files and folders that no earlier run has written, sorted.
  package var otherNames: [String] { (entries ?? []).filter { !isOwn($0) }.map(\.name) }

  /// The files of earlier runs, sorted.
  package var ownNames: [String] { (entries ?? []).filter(isOwn).map(\.name) }

  private func isOwn(_ entry: FolderEntry) -> Bool {
    guard entry.kind == .file, let file = try? OpenFile(path: filePath(entry.name)),
      let beginning = try? file.readNext(mark.count)
    else { return false }
    return beginning == mark
  }

  private func filePath(_ name: String) -> String {
    path.hasSuffix("/") ? path + name : path + "/" + name
  }

  /// Creates the folder unless it exists.
  /// - Throws: `TableError.io` if it cannot be created.
  package func create() throws(TableError) { try Folder.create(path) }

  /// Writes a file, which is replaced as a whole if it exists.
  /// - Throws: `TableError.io` if it cannot be written.
  package func write(_ text: String, to name: String) throws(TableError) {
    assert(text.utf8.starts(with: mark))
    try WholeFile.write(Array(text.utf8), to: filePath(name))
  }
}
