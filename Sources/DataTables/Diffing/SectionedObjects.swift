/// Sections with all their objects, to which changes can be applied.
package struct SectionedObjects: Equatable, Sendable {
  package struct Section: Equatable, Sendable {
    package var title: Value
    package var objects: [Value]
    package init(title: Value, objects: [Value]) {
      self.title = title
      self.objects = objects
    }
  }
  package var sections: [Section]

  package init(_ sections: [Section]) { self.sections = sections }

  func object(at path: IndexPath) throws(ChangeError) -> Value {
    guard sections.indices.contains(path.section),
      sections[path.section].objects.indices.contains(path.row)
    else { throw ChangeError("[\(path.section), \(path.row)] is out of range") }
    return sections[path.section].objects[path.row]
  }
}

/// The reason why changes do not turn the old content into the new content.
package struct ChangeError: Error, Equatable, CustomStringConvertible {
  package let description: String
  init(_ description: String) { self.description = description }
}

extension SectionedObjects {
  /// Applies changes as a table view does: it removes deleted and moved objects at their old index
  /// paths, then inserts the inserted and moved objects at their new index paths.
  ///
  /// - Parameters:
  ///   - new: the new content, which provides the titles of inserted sections, and the inserted and
  ///     changed objects.
  ///   - id: the key path whose value a moved or updated object keeps; nil if moved objects do not
  ///     change and no objects are updated.
  /// - Throws: ``ChangeError`` if a change does not apply.
  package func applying(
    _ changes: [Change], from new: SectionedObjects, id: ObjectKeyPath? = nil
  ) throws(ChangeError) -> SectionedObjects {
    var edits = Edits(old: self, new: new, id: id)
    for change in changes { try edits.add(change) }
    return try edits.result()
  }
}

/// The effects of changes, collected before they are applied.
private struct Edits {
  let old: SectionedObjects
  let new: SectionedObjects
  let id: ObjectKeyPath?
  /// The old sections that are deleted or moved.
  private var deletedSections: Set<Int> = []
  private var insertedSections: Set<Int> = []
  /// For each new index of a moved section, its old index.
  private var movedSections: [Int: Int] = [:]
  private var removed: Set<IndexPath> = []
  private var inserted: [IndexPath: Value] = [:]
  private var updates: [IndexPath: Value] = [:]

  init(old: SectionedObjects, new: SectionedObjects, id: ObjectKeyPath?) {
    self.old = old
    self.new = new
    self.id = id
  }

  mutating func add(_ change: Change) throws(ChangeError) {
    switch change {
    case .deleteSection(let section):
      try check(old.sections.indices.contains(section), change)
      try check(deletedSections.insert(section).inserted, change)
    case .insertSection(let section):
      try check(new.sections.indices.contains(section), change)
      try check(insertedSections.insert(section).inserted, change)
      try check(movedSections[section] == nil, change)
    case .moveSection(let from, let to):
      try check(old.sections.indices.contains(from), change)
      try check(new.sections.indices.contains(to), change)
      try check(old.sections[from].title == new.sections[to].title, change)
      try check(deletedSections.insert(from).inserted && !insertedSections.contains(to), change)
      try check(movedSections.updateValue(from, forKey: to) == nil, change)
    case .delete(let path): try remove(path, change)
    case .insert(let path): try insert(path, change)
    case .move(let from, let to, let isChanged):
      try remove(from, change)
      try insert(to, change)
      try checkSame(from, to, change)
      try check(try isChanged == (old.object(at: from) != new.object(at: to)), change)
    case .update(let from, let to):
      try check(id != nil && !removed.contains(from), change)
      try checkSame(from, to, change)
      try check(try old.object(at: from) != new.object(at: to), change)
      try check(updates.updateValue(try new.object(at: to), forKey: from) == nil, change)
    case .reload(let from, let to), .reconfigure(let from, let to):
      try check(!removed.contains(from), change)
      try check(try old.object(at: from) == new.object(at: to), change)
    }
  }

  private mutating func remove(_ path: IndexPath, _ change: Change) throws(ChangeError) {
    _ = try old.object(at: path)
    try check(removed.insert(path).inserted, change)
  }

  private mutating func insert(_ path: IndexPath, _ change: Change) throws(ChangeError) {
    try check(inserted.updateValue(try new.object(at: path), forKey: path) == nil, change)
  }

  private func checkSame(
    _ from: IndexPath, _ to: IndexPath, _ change: Change
  ) throws(ChangeError) {
    let before = try old.object(at: from)
    let after = try new.object(at: to)
    if let id {
      try check(id.evaluate(on: before) == id.evaluate(on: after), change)
    } else {
      try check(before == after, change)
    }
  }

  private func check(_ condition: Bool, _ change: Change) throws(ChangeError) {
    if !condition { throw ChangeError("\(change) does not apply") }
  }

  func result() throws(ChangeError) -> SectionedObjects {
    var sections = try arranged(old.sections.indices.map(remaining))
    for (path, object) in inserted.sorted(by: { $0.key < $1.key }) {
      guard sections.indices.contains(path.section),
        path.row <= sections[path.section].objects.count
      else {
        throw ChangeError("[\(path.section), \(path.row)] leaves a gap before it")
      }
      sections[path.section].objects.insert(object, at: path.row)
    }
    return SectionedObjects(sections)
  }

  /// An old section with the objects that are neither deleted nor moved.
  private func remaining(_ section: Int) -> SectionedObjects.Section {
    var objects: [Value] = []
    for (row, object) in old.sections[section].objects.enumerated() {
      let path = IndexPath(section: section, row: row)
      if !removed.contains(path) { objects.append(updates[path] ?? object) }
    }
    return SectionedObjects.Section(title: old.sections[section].title, objects: objects)
  }

  /// The sections without the deleted ones, with the inserted and moved ones at their places.
  private func arranged(
    _ sections: [SectionedObjects.Section]
  ) throws(ChangeError) -> [SectionedObjects.Section] {
    for section in deletedSections.subtracting(movedSections.values)
    where !sections[section].objects.isEmpty {
      throw ChangeError("objects of the deleted section \(section) are neither deleted nor moved")
    }
    var kept = sections.indices.filter { !deletedSections.contains($0) }[...]
    let count = kept.count + insertedSections.count + movedSections.count
    var arranged: [SectionedObjects.Section] = []
    for section in 0..<count {
      if insertedSections.contains(section) {
        arranged.append(
          SectionedObjects.Section(title: new.sections[section].title, objects: []))
      } else if let moved = movedSections[section] {
        arranged.append(sections[moved])
      } else if let next = kept.popFirst() {
        arranged.append(sections[next])
      } else {
        throw ChangeError("the inserted sections leave a gap at \(section)")
      }
    }
    return arranged
  }
}
