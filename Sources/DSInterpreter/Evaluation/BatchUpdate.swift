import DataSources
import DataTables
import Pictures

/// The changes between two contents as a table view shows them: the changed rows with their marks, and
/// the rows around them.
struct BatchUpdate {
  private let old: Snapshot
  private let new: Snapshot
  private let cell: PreviewCell
  private let oldCell: PreviewCell
  private var sections = KeptOrder()
  private var rows: [Int: SectionUpdate] = [:]
  private var deleted: [Int: [Int]] = [:]
  private let hasHeaders: Bool
  let changes: [Change]

  init(
    _ changes: [Change], from old: Snapshot, to new: Snapshot, cell: PreviewCell,
    oldCell: PreviewCell
  ) async throws {
    self.changes = changes
    self.old = old
    self.new = new
    self.cell = cell
    self.oldCell = oldCell
    let (before, after) = (try await old.hasHeaders, try await new.hasHeaders)
    hasHeaders = before || after
    for change in changes {
      switch change {
      case .deleteSection(let section), .moveSection(let section, _):
        sections.removed.append(section)
      default: break
      }
      switch change {
      case .insertSection(let section), .moveSection(_, let section):
        sections.added.append(section)
      default: break
      }
    }
    sections.sort()
    for change in changes { add(change) }
    for section in rows.keys { rows[section]?.order.sort() }
    for section in deleted.keys { deleted[section]?.sort() }
  }

  /// A place of the picture, before its texts are read.
  private enum Item {
    case header(Snapshot, Int, Picture.Mark?)
    case row(Snapshot, IndexPath, Picture.Mark?)
    case gap(Int, String)
  }

  private mutating func add(_ change: Change) {
    if let path = change.oldPath, change.isRemoval {
      if sections.removed.contains(sorted: path.section) {
        if case .delete = change { deleted[path.section, default: []].append(path.row) }
      } else {
        let section = sections.new(ofKept: sections.kept(ofOld: path.section))
        rows[section, default: SectionUpdate()].order.removed.append(path.row)
        if case .delete = change {
          rows[section, default: SectionUpdate()].deleted.append(path.row)
        }
      }
    }
    guard let path = change.newPath, let mark = change.mark else { return }
    if change.isArrival {
      rows[path.section, default: SectionUpdate()].order.added.append(path.row)
    }
    rows[path.section, default: SectionUpdate()].marks[path.row] = mark
  }

  /// - Parameter limit: the most lines.
  /// - Returns: the lines, and whether there are more.
  func lines(limit: Int) async throws -> (lines: [Picture.TableLine], isCut: Bool) {
    let items = self.items(limit: limit + 1)
    var lines: [Picture.TableLine] = []
    for item in items.prefix(limit) { lines.append(try await line(of: item)) }
    return (lines, items.count > limit)
  }

  /// The first items; more are not made.
  private func items(limit: Int) -> [Item] {
    var entries: [Entry] = sections.removed.map {
      Entry(kept: sections.kept(ofOld: $0), kind: .removed, index: $0)
    }
    let added = Set(sections.added)
    for section in added.union(rows.keys) {
      entries.append(
        Entry(
          kept: sections.kept(ofNew: section), kind: added.contains(section) ? .added : .kept,
          index: section))
    }
    var items: [Item] = []
    var next = 0
    for entry in entries.sorted() where items.count < limit {
      let place = entry.place(in: sections)
      if place > next { items.append(.gap(place - next, "section")) }
      switch entry.kind {
      case .removed:
        next = max(next, place)
        items.append(.header(old, entry.index, Picture.Mark(.deleted)))
        for row in deleted[entry.index] ?? [] where items.count < limit {
          let path = IndexPath(section: entry.index, row: row)
          items.append(.row(old, path, Picture.Mark(.deleted)))
        }
      case .added, .kept:
        next = entry.index + 1
        let mark = entry.kind == .added ? Picture.Mark(.inserted) : nil
        if hasHeaders { items.append(.header(new, entry.index, mark)) }
        items += self.rows(of: entry.index, limit: limit - items.count)
      }
    }
    let rest = new.numberOfSections - next
    if rest > 0, !entries.isEmpty, items.count < limit { items.append(.gap(rest, "section")) }
    return items
  }

  /// The changed rows of a section of the new content, with one row before and one after them.
  private func rows(of section: Int, limit: Int) -> [Item] {
    let update = rows[section] ?? SectionUpdate()
    let order = update.order
    let count = new.store.numberOfObjects(in: section)
    let kept = count - order.added.count
    var entries: [Entry] = update.deleted.sorted().map {
      Entry(kept: order.kept(ofOld: $0), kind: .removed, index: $0)
    }
    var near: Set<Int> = []
    for (row, _) in update.marks {
      let isAdded = order.added.contains(sorted: row)
      let index = order.kept(ofNew: row)
      if isAdded { entries.append(Entry(kept: index, kind: .added, index: row)) }
      near.formUnion([index - 1, index] + (isAdded ? [] : [index + 1]))
    }
    for entry in entries { near.formUnion([entry.kept - 1, entry.kept]) }
    for index in near where (0..<kept).contains(index) {
      entries.append(Entry(kept: index, kind: .kept, index: order.new(ofKept: index)))
    }
    var items: [Item] = []
    var next = 0
    for entry in entries.sorted() where items.count < limit {
      let place = entry.place(in: order)
      if place > next { items.append(gap(in: section, rows: next..<place)) }
      if entry.kind == .removed {
        next = max(next, place)
        let oldSection = sections.old(ofKept: sections.kept(ofNew: section))
        let path = IndexPath(section: oldSection, row: entry.index)
        items.append(.row(old, path, Picture.Mark(.deleted)))
      } else {
        next = entry.index + 1
        let path = IndexPath(section: section, row: entry.index)
        items.append(.row(new, path, update.marks[entry.index]))
      }
    }
    if count > next, items.count < limit { items.append(gap(in: section, rows: next..<count)) }
    return items
  }

  /// A line for rows that are left out; a single row takes no more room itself.
  private func gap(in section: Int, rows: Range<Int>) -> Item {
    rows.count == 1
      ? .row(new, IndexPath(section: section, row: rows.lowerBound), nil)
      : .gap(rows.count, "row")
  }

  private func line(of item: Item) async throws -> Picture.TableLine {
    switch item {
    case .gap(let count, let noun):
      return Picture.TableLine(.gap, "⋮ \(counted(count, noun))")
    case .header(let content, let section, let mark):
      var line = content.header(of: section, try await content.title(of: section))
      line.mark = mark
      return line
    case .row(let content, let path, let mark):
      let isDeleted = mark?.kind == .deleted
      var line = (isDeleted ? oldCell : cell).line(of: try await content.objectOrKey(at: path))
      line.mark = mark
      return line
    }
  }
}

/// The changes of the rows of a section.
private struct SectionUpdate {
  var order = KeptOrder()
  /// The old rows that are deleted; others of ``KeptOrder/removed`` move.
  var deleted: [Int] = []
  var marks: [Int: Picture.Mark] = [:]
}

/// A line of a picture, in the order in which a table view that shows both contents would have it.
private struct Entry: Comparable {
  enum Kind: Int { case removed, added, kept }
  /// The number of kept elements before it.
  let kept: Int
  let kind: Kind
  /// In the old content for a removed element, otherwise in the new one.
  let index: Int

  /// The index in the new content, or the index before which a removed element was.
  func place(in order: KeptOrder) -> Int {
    if kind != .removed { return index }
    return kept == 0 ? 0 : order.new(ofKept: kept - 1) + 1
  }

  static func < (left: Entry, right: Entry) -> Bool {
    (left.kept, left.kind.rawValue, left.index) < (right.kept, right.kind.rawValue, right.index)
  }
}

/// The elements that stay between removed and added ones, in both contents in the same order.
private struct KeptOrder {
  /// Indices in the old content, ascending.
  var removed: [Int] = []
  /// Indices in the new content, ascending.
  var added: [Int] = []

  mutating func sort() {
    removed.sort()
    added.sort()
  }

  /// The number of kept elements before an element of the old content.
  func kept(ofOld index: Int) -> Int { index - removed.count(below: index) }
  func kept(ofNew index: Int) -> Int { index - added.count(below: index) }
  /// The index in the new content of a kept element.
  func new(ofKept index: Int) -> Int { Self.index(ofKept: index, among: added) }
  func old(ofKept index: Int) -> Int { Self.index(ofKept: index, among: removed) }

  private static func index(ofKept index: Int, among others: [Int]) -> Int {
    // The number of other elements before it: others[n] - n kept elements are before others[n].
    var (low, high) = (0, others.count)
    while low < high {
      let middle = (low + high) / 2
      if others[middle] - middle <= index { low = middle + 1 } else { high = middle }
    }
    return index + low
  }
}

extension [Int] {
  /// The number of elements below a bound.
  /// - Precondition: the elements ascend.
  fileprivate func count(below bound: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < bound { low = middle + 1 } else { high = middle }
    }
    return low
  }

  fileprivate func contains(sorted element: Int) -> Bool {
    let place = count(below: element)
    return place < count && self[place] == element
  }
}

extension Change {
  /// Whether an object leaves its place.
  fileprivate var isRemoval: Bool {
    switch self {
    case .delete, .move: true
    default: false
    }
  }

  /// Whether an object takes a place.
  fileprivate var isArrival: Bool {
    switch self {
    case .insert, .move: true
    default: false
    }
  }

  /// The mark of a row of the new content.
  fileprivate var mark: Picture.Mark? {
    switch self {
    case .deleteSection, .insertSection, .moveSection, .delete: nil
    case .insert: Picture.Mark(.inserted)
    case .move(let from, _, let isChanged):
      Picture.Mark(.moved, text: "moved from \(from)" + (isChanged ? ", updated" : ""))
    case .update: Picture.Mark(.updated)
    case .reload: Picture.Mark(.updated, text: "reloaded")
    case .reconfigure: Picture.Mark(.updated, text: "reconfigured")
    }
  }
}

extension Snapshot {
  /// An object; its key if the object can no longer be read.
  fileprivate func objectOrKey(at path: IndexPath) async throws -> Value {
    do {
      return try await object(at: path)
    } catch let error as SourceError where error.kind == .changed {
      guard let key = store.trackedKey(at: path) else { throw error }
      return .record(key)
    }
  }
}
