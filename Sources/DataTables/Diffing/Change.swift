/// One step from the old content of a source to its new content, as a table view expects it.
///
/// `deleteSection`, `delete`, and every `from` refer to the old content; everything else refers to
/// the new content.
public enum Change: Hashable, Sendable {
  case deleteSection(Int)
  case insertSection(Int)
  /// A section that moved among the other sections, with its objects.
  case moveSection(from: Int, to: Int)
  case delete(IndexPath)
  case insert(IndexPath)
  /// An object that moved; `isChanged` states whether it also changed.
  case move(from: IndexPath, to: IndexPath, isChanged: Bool = false)
  /// An object that changed but did not move. Its two index paths can still differ, because
  /// sections or objects before it are deleted, inserted or moved.
  case update(from: IndexPath, to: IndexPath)
  /// An unchanged object that must be shown again in a new cell.
  case reload(from: IndexPath, to: IndexPath)
  /// An unchanged object that must be shown again in its present cell.
  case reconfigure(from: IndexPath, to: IndexPath)

  /// The name of the case: `insert`, `deleteSection`.
  public var name: String {
    switch self {
    case .deleteSection: "deleteSection"
    case .insertSection: "insertSection"
    case .moveSection: "moveSection"
    case .delete: "delete"
    case .insert: "insert"
    case .move: "move"
    case .update: "update"
    case .reload: "reload"
    case .reconfigure: "reconfigure"
    }
  }

  /// The section and row in the old content, or only the section; nil for insertions.
  public var from: [Int]? {
    switch self {
    case .deleteSection(let section), .moveSection(let section, _): [section]
    case .insertSection: nil
    default: oldPath.map { [$0.section, $0.row] }
    }
  }

  /// The section and row in the new content, or only the section; nil for deletions.
  public var to: [Int]? {
    switch self {
    case .insertSection(let section), .moveSection(_, let section): [section]
    case .deleteSection: nil
    default: newPath.map { [$0.section, $0.row] }
    }
  }

  /// The index path of the object in the old content; nil for an insertion and for a section.
  package var oldPath: IndexPath? {
    switch self {
    case .delete(let path), .move(let path, _, _), .update(let path, _), .reload(let path, _),
      .reconfigure(let path, _):
      path
    case .deleteSection, .insertSection, .moveSection, .insert: nil
    }
  }

  /// The index path of the object in the new content; nil for a deletion and for a section.
  package var newPath: IndexPath? {
    switch self {
    case .insert(let path), .move(_, let path, _), .update(_, let path), .reload(_, let path),
      .reconfigure(_, let path):
      path
    case .deleteSection, .insertSection, .moveSection, .delete: nil
    }
  }

  /// The same change of an object with other index paths; a section keeps its place.
  func mapped(
    old: (IndexPath) -> IndexPath, new: (IndexPath) -> IndexPath
  ) -> Change {
    switch self {
    case .deleteSection, .insertSection, .moveSection: self
    case .delete(let path): .delete(old(path))
    case .insert(let path): .insert(new(path))
    case .move(let from, let to, let isChanged):
      .move(from: old(from), to: new(to), isChanged: isChanged)
    case .update(let from, let to): .update(from: old(from), to: new(to))
    case .reload(let from, let to): .reload(from: old(from), to: new(to))
    case .reconfigure(let from, let to): .reconfigure(from: old(from), to: new(to))
    }
  }
}
