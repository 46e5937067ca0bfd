import DataTables

/// A diffable data source snapshot: sections and items with unique identifiers, which are edited one
/// after another.
struct DiffableSnapshotModel: Equatable {
  enum Refusal: Error {
    case unknownSection, unknownItem, duplicateSection, duplicateItem, sectionWithItems
  }
  private struct Section: Equatable {
    let id: Value
    var items: [Value] = []
  }
  private var sections: [Section] = []
  private var sectionIDs: Set<Value> = []
  private var itemIDs: Set<Value> = []

  /// - Throws: ``Refusal`` for identifiers that are not unique.
  init(_ content: SectionedObjects, id: ObjectKeyPath) throws(Refusal) {
    for (index, section) in content.sections.enumerated() {
      try insertSection(section.title, at: index)
      for object in section.objects {
        let item = id.evaluate(on: object)
        try insert(item, into: section.title, after: sections[index].items.suffix(1))
      }
    }
  }

  private func index(of section: Value) throws(Refusal) -> Int {
    guard let index = sections.firstIndex(where: { $0.id == section }) else {
      throw .unknownSection
    }
    return index
  }

  private mutating func insertSection(_ id: Value, at index: Int) throws(Refusal) {
    guard sectionIDs.insert(id).inserted else { throw .duplicateSection }
    guard index <= sections.count else { throw .unknownSection }
    sections.insert(Section(id: id), at: index)
  }

  private mutating func delete(_ item: Value) throws(Refusal) {
    for section in sections.indices {
      guard let row = sections[section].items.firstIndex(of: item) else { continue }
      sections[section].items.remove(at: row)
      itemIDs.remove(item)
      return
    }
    throw .unknownItem
  }

  /// - Parameter previous: the item before it; empty for the first one of the section.
  private mutating func insert(
    _ item: Value, into section: Value, after previous: some Collection<Value>
  ) throws(Refusal) {
    guard itemIDs.insert(item).inserted else { throw .duplicateItem }
    let index = try index(of: section)
    var row = 0
    for previous in previous {
      guard let found = sections[index].items.firstIndex(of: previous) else { throw .unknownItem }
      row = found + 1
    }
    sections[index].items.insert(item, at: row)
  }

  /// Applies the changes from one content to another: deletes items, inserts and moves sections,
  /// inserts and moves items in their new order, and deletes sections, which must be empty by then.
  mutating func apply(
    _ changes: [Change], from old: SectionedObjects, to new: SectionedObjects, id: ObjectKeyPath
  ) throws(Refusal) {
    for case .delete(let path) in changes { try delete(id.evaluate(on: old[path])) }
    for case .move(let from, _, _) in changes { try delete(id.evaluate(on: old[from])) }
    for case .deleteSection(let section) in changes {
      let index = try index(of: old.sections[section].title)
      guard sections[index].items.isEmpty else { throw .sectionWithItems }
      sectionIDs.remove(sections.remove(at: index).id)
    }
    try applySections(changes, from: old, to: new)
    let arriving = changes.compactMap { change -> IndexPath? in
      switch change {
      case .insert(let path), .move(_, let path, _): path
      default: nil
      }
    }
    for path in arriving.sorted() {
      let section = new.sections[path.section]
      let previous = section.objects[..<path.row].suffix(1).map { id.evaluate(on: $0) }
      try insert(id.evaluate(on: section.objects[path.row]), into: section.title, after: previous)
    }
    for case .update(let from, let to) in changes {
      guard itemIDs.contains(id.evaluate(on: new[to])),
        id.evaluate(on: old[from]) == id.evaluate(on: new[to])
      else { throw .unknownItem }
    }
  }

  private mutating func applySections(
    _ changes: [Change], from old: SectionedObjects, to new: SectionedObjects
  ) throws(Refusal) {
    var moved: [Int: Section] = [:]
    for case .moveSection(let from, let to) in changes {
      moved[to] = sections.remove(at: try index(of: old.sections[from].title))
    }
    let arriving = changes.compactMap { change -> Int? in
      switch change {
      case .insertSection(let section), .moveSection(_, let section): section
      default: nil
      }
    }
    for section in arriving.sorted() {
      guard let content = moved[section] else {
        try insertSection(new.sections[section].title, at: section)
        continue
      }
      guard section <= sections.count else { throw .unknownSection }
      sections.insert(content, at: section)
    }
  }
}
