/// One step from an old content to a new one, as table views expect it.
///
/// Index paths of deletions and sources (`delete`, `from` of a move or update, `deleteSection`) are
/// places in the old content, the others places in the new content.
public enum Change: Hashable, Sendable {
  case deleteSection(Int)
  case insertSection(Int)
  case delete(IndexPath)
  case insert(IndexPath)
  /// An object that moved to another place; it may also have changed.
  case move(from: IndexPath, to: IndexPath)
  /// An object that changed and did not move. Its index path can differ because of deletions and
  /// insertions before it.
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

  /// The place in the old content: section and row, or only a section; nil for insertions.
  public var from: [Int]? {
    switch self {
    case .deleteSection(let section): [section]
    case .delete(let path), .move(let path, _), .update(let path, _): [path.section, path.row]
    case .insertSection, .insert: nil
    }
  }

  /// The place in the new content: section and row, or only a section; nil for deletions.
  public var to: [Int]? {
    switch self {
    case .insertSection(let section): [section]
    case .insert(let path), .move(_, let path), .update(_, let path): [path.section, path.row]
    case .deleteSection, .delete: nil
    }
  }
}
