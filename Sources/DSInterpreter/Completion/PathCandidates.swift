import DataSources
import DataTables

/// The files and folders in the folder of a typed path.
struct PathCandidates {
  /// The folder that relative paths start from.
  let folder: String

  /// The subfolders, and the files that `kind` includes. Hidden ones follow a typed dot.
  ///
  /// - Parameter path: the path so far, without quotes.
  func candidates(of kind: PathKind, for path: String) -> [CompletionCandidate] {
    if path == "~" { return [.folder("~/")] }
    let outer = FilePath.folder(of: path)
    let lead = outer.isEmpty ? "" : outer.hasSuffix("/") ? outer : outer + "/"
    let isHidden = path.lastPathComponent.hasPrefix(".") && !path.hasSuffix("/")
    return Folder.names(in: FilePath.resolve(FilePath.expandingHome(outer), in: folder))
      .filter { isHidden || !$0.hasPrefix(".") }
      .compactMap { name in
        if name.hasSuffix("/") { return .folder(lead + name) }
        return kind.includes(name) ? .string(lead + name) : nil
      }
  }
}

extension PathKind {
  fileprivate func includes(_ name: String) -> Bool {
    switch self {
    case .data, .file: true
    // A Markdown file is a script that consists of its fenced examples.
    case .script: name.hasSuffix(".ds") || name.hasSuffix(".md")
    case .folder, .newFile: false
    }
  }
}
