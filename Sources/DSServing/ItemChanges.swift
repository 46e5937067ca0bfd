import DataSources
import DataTables

/// Changes between two contents, as a browser animates them: for items that it shows, their places in
/// the new content.
struct ItemChanges {
  private let old: ContentLayout
  private let new: ContentLayout
  /// The new section of each old one that moves.
  private var movedSections: [Int: Int] = [:]
  private var deletedSections: Set<Int> = []
  /// Old sections that are deleted or moved, in ascending order.
  private var leftSections: [Int] = []
  /// New sections that are inserted or moved, in ascending order.
  private var takenSections: [Int] = []
  private var movedObjects: [IndexPath: IndexPath] = [:]
  private var deletedObjects: Set<IndexPath> = []
  /// The rows of each old section that are deleted or moved, in ascending order.
  private var leftRows: [Int: [Int]] = [:]
  /// The rows of each new section that are inserted or moved, in ascending order.
  private var takenRows: [Int: [Int]] = [:]
  /// The new index paths of inserted and of updated objects.
  private(set) var inserted: [IndexPath] = []
  private(set) var updated: [IndexPath] = []

  /// - Parameter changes: those that a source reports, all of them.
  init(_ changes: [Change], from old: ContentLayout, to new: ContentLayout) {
    self.old = old
    self.new = new
    for change in changes { add(change) }
    leftSections = (Array(deletedSections) + movedSections.keys).sorted()
    takenSections.sort()
    for section in leftRows.keys { leftRows[section]?.sort() }
    for section in takenRows.keys { takenRows[section]?.sort() }
  }

  private mutating func add(_ change: Change) {
    switch change {
    case .deleteSection(let section): deletedSections.insert(section)
    case .insertSection(let section): takenSections.append(section)
    case .moveSection(let from, let to):
      movedSections[from] = to
      takenSections.append(to)
    case .delete(let path):
      deletedObjects.insert(path)
      leftRows[path.section, default: []].append(path.row)
    case .insert(let path):
      inserted.append(path)
      takenRows[path.section, default: []].append(path.row)
    case .move(let from, let to, let isChanged):
      movedObjects[from] = to
      leftRows[from.section, default: []].append(from.row)
      takenRows[to.section, default: []].append(to.row)
      if isChanged { updated.append(to) }
    case .update(_, let to), .reload(_, let to), .reconfigure(_, let to): updated.append(to)
    }
  }

  /// The position in the new content of the item at a position in the old one; nil if it is deleted.
  func position(ofOld position: Int) -> Int? {
    guard (0..<old.numberOfItems).contains(position) else { return nil }
    switch old.item(at: position) {
    case .header(let section):
      return self.section(ofOld: section).flatMap { new.position(of: .header(section: $0)) }
    case .object(let path):
      return self.path(ofOld: path).flatMap { new.position(of: .object($0)) }
    }
  }

  private func section(ofOld section: Int) -> Int? {
    if deletedSections.contains(section) { return nil }
    if let moved = movedSections[section] { return moved }
    return Self.slot(section - leftSections.count { $0 < section }, among: takenSections)
  }

  func path(ofOld path: IndexPath) -> IndexPath? {
    if deletedObjects.contains(path) { return nil }
    if let moved = movedObjects[path] { return moved }
    guard let section = section(ofOld: path.section) else { return nil }
    let rank = path.row - (leftRows[path.section] ?? []).count { $0 < path.row }
    return IndexPath(section: section, row: Self.slot(rank, among: takenRows[section] ?? []))
  }

  /// The number with a rank among the numbers from 0 that are not taken.
  private static func slot(_ rank: Int, among taken: [Int]) -> Int {
    var slot = rank
    for number in taken {
      if number > slot { break }
      slot += 1
    }
    return slot
  }

  func position(ofNew path: IndexPath) -> Int? { new.position(of: .object(path)) }
}
