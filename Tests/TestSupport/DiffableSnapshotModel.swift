package import DataTables

/// A diffable data source snapshot: sections and items with unique identifiers, which are edited one
/// after another.
///
/// The k-th section with a title, and the k-th object with an `id`, have identifiers of their own.
package struct DiffableSnapshotModel: Equatable {
  package enum Refusal: Error {
    case unknownSection, unknownItem, duplicateSection, duplicateItem, sectionWithItems
  }
  private struct Identifier: Hashable {
    let value: Value
    let ordinal: Int
  }
  private struct Section: Equatable {
    let id: Identifier
    var items: [Identifier] = []
  }
  /// The identifiers of the sections and objects of a content.
  private struct Identifiers {
    private(set) var sections: [Section] = []

    /// - Parameter id: nil identifies an object by its value.
    init(_ content: SectionedObjects, _ id: ObjectKeyPath?) {
      var titles: [Value: Int] = [:]
      var objects: [Value: Int] = [:]
      func next(_ value: Value, in counts: inout [Value: Int]) -> Identifier {
        defer { counts[value, default: 0] += 1 }
        return Identifier(value: value, ordinal: counts[value] ?? 0)
      }
      for section in content.sections {
        let items = section.objects.map { object in
          next(id?.evaluate(on: object) ?? object, in: &objects)
        }
        sections.append(Section(id: next(section.title, in: &titles), items: items))
      }
    }

    func item(at path: IndexPath) throws(Refusal) -> Identifier {
      guard sections.indices.contains(path.section),
        sections[path.section].items.indices.contains(path.row)
      else { throw .unknownItem }
      return sections[path.section].items[path.row]
    }
  }
  private var sections: [Section] = []
  private var sectionIDs: Set<Identifier> = []
  private var itemIDs: Set<Identifier> = []

  /// - Parameter id: the key of the items; nil if equal objects are the same.
  package init(_ content: SectionedObjects, id: ObjectKeyPath?) throws(Refusal) {
    for (index, section) in Identifiers(content, id).sections.enumerated() {
      try insertSection(section.id, at: index)
      for item in section.items {
        try insert(item, into: section.id, after: sections[index].items.last)
      }
    }
  }

  private func index(of section: Identifier) throws(Refusal) -> Int {
    guard let index = sections.firstIndex(where: { $0.id == section }) else {
      throw .unknownSection
    }
    return index
  }

  private mutating func insertSection(_ id: Identifier, at index: Int) throws(Refusal) {
    guard sectionIDs.insert(id).inserted else { throw .duplicateSection }
    guard index <= sections.count else { throw .unknownSection }
    sections.insert(Section(id: id), at: index)
  }

  private mutating func delete(_ item: Identifier) throws(Refusal) {
    for section in sections.indices {
      guard let row = sections[section].items.firstIndex(of: item) else { continue }
      sections[section].items.remove(at: row)
      itemIDs.remove(item)
      return
    }
    throw .unknownItem
  }

  /// - Parameter previous: the item before it; nil for the first one of the section.
  private mutating func insert(
    _ item: Identifier, into section: Identifier, after previous: Identifier?
  ) throws(Refusal) {
    guard itemIDs.insert(item).inserted else { throw .duplicateItem }
    let index = try index(of: section)
    var row = 0
    if let previous {
      guard let found = sections[index].items.firstIndex(of: previous) else { throw .unknownItem }
      row = found + 1
    }
    sections[index].items.insert(item, at: row)
  }

  /// Applies the changes from one content to another: deletes items, inserts and moves sections,
  /// inserts and moves items in their new order, and deletes sections, which must be empty by then.
  package mutating func apply(
    _ changes: [Change], from old: SectionedObjects, to new: SectionedObjects, id: ObjectKeyPath?
  ) throws(Refusal) {
    let old = Identifiers(old, id)
    let new = Identifiers(new, id)
    for case .delete(let path) in changes { try delete(old.item(at: path)) }
    for case .move(let from, _, _) in changes { try delete(old.item(at: from)) }
    for case .deleteSection(let section) in changes {
      let index = try index(of: old.sections[section].id)
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
      let item = try new.item(at: path)
      let section = new.sections[path.section]
      let previous = path.row > 0 ? section.items[path.row - 1] : nil
      try insert(item, into: section.id, after: previous)
    }
    for change in changes {
      switch change {
      case .update(let from, let to), .reload(let from, let to), .reconfigure(let from, let to):
        let item = try new.item(at: to)
        guard itemIDs.contains(item), try old.item(at: from) == item else { throw .unknownItem }
      default: break
      }
    }
  }

  private mutating func applySections(
    _ changes: [Change], from old: Identifiers, to new: Identifiers
  ) throws(Refusal) {
    var moved: [Int: Section] = [:]
    for case .moveSection(let from, let to) in changes {
      moved[to] = sections.remove(at: try index(of: old.sections[from].id))
    }
    let arriving = changes.compactMap { change -> Int? in
      switch change {
      case .insertSection(let section), .moveSection(_, let section): section
      default: nil
      }
    }
    for section in arriving.sorted() {
      guard let content = moved[section] else {
        try insertSection(new.sections[section].id, at: section)
        continue
      }
      guard section <= sections.count else { throw .unknownSection }
      sections.insert(content, at: section)
    }
  }
}
