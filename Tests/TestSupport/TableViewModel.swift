package import DataTables

extension SectionedObjects {
  package subscript(path: IndexPath) -> Value { sections[path.section].objects[path.row] }

  fileprivate func has(_ path: IndexPath) -> Bool {
    sections.indices.contains(path.section)
      && sections[path.section].objects.indices.contains(path.row)
  }
}

/// A table view that shows sections of objects, and refuses the batches that UITableView and
/// NSCollectionView refuse with an exception.
package struct TableViewModel {
  package enum Refusal: Error, Hashable {
    case outOfRange
    /// Two operations on one old or one new position.
    case duplicate
    case moveOutOfDeletedSection
    case moveIntoInsertedSection
    /// An operation on an object of a section that moves.
    case objectOfMovedSection
    /// The sections or objects after the batch are fewer than its positions require.
    case invalidCount
  }
  private struct Section {
    var title: Value
    var rows: [Value]
  }
  private var sections: [Section]

  package init(_ content: SectionedObjects) {
    sections = content.sections.map { Section(title: $0.title, rows: $0.objects) }
  }

  package var content: SectionedObjects {
    SectionedObjects(
      sections.map { SectionedObjects.Section(title: $0.title, objects: $0.rows) })
  }

  /// Applies a batch; a refused batch changes nothing.
  ///
  /// - Parameter new: the content after the last batch, which provides the titles of inserted
  ///   sections, and the inserted and updated objects. A moved object is shown unchanged.
  package mutating func perform(
    _ batch: [StagedChange], from new: SectionedObjects
  ) throws(Refusal) {
    let operations = try Operations(batch, from: new)
    try operations.checkSections(count: sections.count)
    let counts = sections.map(\.rows.count)
    let oldPaths = operations.deletes.union(operations.moves.keys).union(operations.reloads.keys)
    guard oldPaths.allSatisfy({ operations.oldIsInRange($0, in: counts) }) else {
      throw .outOfRange
    }
    var moved: [IndexPath: Value] = [:]
    for (from, to) in operations.moves { moved[to] = sections[from.section].rows[from.row] }
    var remaining: [Section] = []
    for (index, section) in sections.enumerated() {
      var rows: [Value] = []
      for (row, object) in section.rows.enumerated() {
        let path = IndexPath(section: index, row: row)
        if operations.deletes.contains(path) || operations.moves[path] != nil { continue }
        rows.append((operations.reloads[path] ?? nil) ?? object)
      }
      remaining.append(Section(title: section.title, rows: rows))
    }
    var result = try operations.arrange(remaining)
    let arriving = operations.inserts.merging(moved) { first, _ in first }
    for (path, object) in arriving.sorted(by: { $0.key < $1.key }) {
      guard result.indices.contains(path.section), path.row <= result[path.section].rows.count
      else { throw .invalidCount }
      result[path.section].rows.insert(object, at: path.row)
    }
    sections = result
  }
}

extension TableViewModel {
  /// The operations of one batch, without two on one position.
  private struct Operations {
    var deletedSections: Set<Int> = []
    var insertedSections: [Int: Value] = [:]
    /// From the old to the new index.
    var movedSections: [Int: Int] = [:]
    var deletes: Set<IndexPath> = []
    var inserts: [IndexPath: Value] = [:]
    var moves: [IndexPath: IndexPath] = [:]
    /// The objects to show; nil leaves the object.
    var reloads: [IndexPath: Value?] = [:]

    init(_ batch: [StagedChange], from new: SectionedObjects) throws(Refusal) {
      var oldPaths: Set<IndexPath> = []
      var newPaths: Set<IndexPath> = []
      var oldSections: Set<Int> = []
      var newSections: Set<Int> = []
      func require(_ isNew: Bool) throws(Refusal) { if !isNew { throw .duplicate } }
      for staged in batch {
        if let path = staged.whole.newPath, !new.has(path) { throw .outOfRange }
        let object = staged.whole.newPath.map { new[$0] }
        switch staged.change {
        case .deleteSection(let section):
          try require(oldSections.insert(section).inserted)
          deletedSections.insert(section)
        case .insertSection(let section):
          try require(newSections.insert(section).inserted)
          insertedSections[section] = staged.whole.to.map { new.sections[$0[0]].title }
        case .moveSection(let from, let to):
          try require(oldSections.insert(from).inserted && newSections.insert(to).inserted)
          movedSections[from] = to
        case .delete(let path):
          try require(oldPaths.insert(path).inserted)
          deletes.insert(path)
        case .insert(let path):
          try require(newPaths.insert(path).inserted)
          inserts[path] = object
        case .move(let from, let to, _):
          try require(oldPaths.insert(from).inserted && newPaths.insert(to).inserted)
          moves[from] = to
        case .update(let path, _):
          try require(oldPaths.insert(path).inserted)
          reloads[path] = .some(object)
        case .reload(let path, _), .reconfigure(let path, _):
          try require(oldPaths.insert(path).inserted)
          reloads[path] = .some(nil)
        }
      }
      try checkObjects()
    }

    private func checkObjects() throws(Refusal) {
      for (from, to) in moves {
        if deletedSections.contains(from.section) { throw .moveOutOfDeletedSection }
        if insertedSections[to.section] != nil { throw .moveIntoInsertedSection }
      }
      let moved = Set(movedSections.values)
      let isOfMoved =
        deletes.union(moves.keys).union(reloads.keys).contains {
          movedSections[$0.section] != nil
        } || Set(inserts.keys).union(moves.values).contains { moved.contains($0.section) }
      if isOfMoved { throw .objectOfMovedSection }
    }

    func checkSections(count: Int) throws(Refusal) {
      guard deletedSections.union(movedSections.keys).allSatisfy((0..<count).contains) else {
        throw .outOfRange
      }
    }

    func oldIsInRange(_ path: IndexPath, in counts: [Int]) -> Bool {
      counts.indices.contains(path.section) && (0..<counts[path.section]).contains(path.row)
    }

    /// The sections after the batch.
    func arrange(_ sections: [Section]) throws(Refusal) -> [Section] {
      var arriving: [Int: Section] = [:]
      for (section, title) in insertedSections {
        arriving[section] = Section(title: title, rows: [])
      }
      for (from, to) in movedSections { arriving[to] = sections[from] }
      var result = sections.indices.filter {
        !deletedSections.contains($0) && movedSections[$0] == nil
      }.map { sections[$0] }
      for (section, content) in arriving.sorted(by: { $0.key < $1.key }) {
        guard section <= result.count else { throw .invalidCount }
        result.insert(content, at: section)
      }
      return result
    }
  }
}
