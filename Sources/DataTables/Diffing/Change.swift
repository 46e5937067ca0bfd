/// One step from the old content of a source to its new content, as a table view expects it.
///
/// `deleteSection`, `delete`, and `from` of a move or an update refer to the old content;
/// everything else refers to the new content.
public enum Change: Hashable, Sendable {
  case deleteSection(Int)
  case insertSection(Int)
  case delete(IndexPath)
  case insert(IndexPath)
  /// An object that moved; it may also have changed.
  case move(from: IndexPath, to: IndexPath)
  /// An object that changed but did not move. Its two index paths can still differ, because
  /// sections or objects before it are deleted, inserted or moved.
  case update(from: IndexPath, to: IndexPath)

  /// The name of the case: `insert`, `deleteSection`.
  public var name: String {
    switch self {
    case .deleteSection: "deleteSection"
    case .insertSection: "insertSection"
    case .delete: "delete"
    case .insert: "insert"
    case .move: "move"
    case .update: "update"
    }
  }

  /// The section and row in the old content, or only the section; nil for insertions.
  public var from: [Int]? {
    switch self {
    case .deleteSection(let section): [section]
    case .delete(let path), .move(let path, _), .update(let path, _): [path.section, path.row]
    case .insertSection, .insert: nil
    }
  }

  /// The section and row in the new content, or only the section; nil for deletions.
  public var to: [Int]? {
    switch self {
    case .insertSection(let section): [section]
    case .insert(let path), .move(_, let path), .update(_, let path): [path.section, path.row]
    case .deleteSection, .delete: nil
    }
  }
}
