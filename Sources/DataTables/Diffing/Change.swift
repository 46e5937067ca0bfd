/// One step from an old content to a new one, as a table view takes it.
///
/// Places before a step (`delete`, the `from` of a move or update, `deleteSection`) are those of the
/// old content, the others those of the new one.
public enum Change: Hashable, Sendable {
  case deleteSection(Int)
  case insertSection(Int)
  case delete(IndexPath)
  case insert(IndexPath)
  /// An object that stands elsewhere; whether it changed as well is not told.
  case move(from: IndexPath, to: IndexPath)
  /// An object that stayed where it is, and changed. Its place can differ by what was deleted and
  /// inserted before it.
  case update(from: IndexPath, to: IndexPath)

  /// `insert`, `deleteSection`.
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

  /// The place in the old content: section and row, or only a section; nil for what is new.
  public var from: [Int]? {
    switch self {
    case .deleteSection(let section): [section]
    case .delete(let path), .move(let path, _), .update(let path, _): [path.section, path.row]
    case .insertSection, .insert: nil
    }
  }

  /// The place in the new content: section and row, or only a section; nil for what is gone.
  public var to: [Int]? {
    switch self {
    case .insertSection(let section): [section]
    case .insert(let path), .move(_, let path), .update(_, let path): [path.section, path.row]
    case .deleteSection, .delete: nil
    }
  }
}
