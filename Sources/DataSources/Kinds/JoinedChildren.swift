import DataTables

/// The contents of the children of a ``MultiSource`` as one content.
struct JoinedChildren: Sendable {
  private let children: [ChildContent]
  /// Whether the sections are those of the children; otherwise each child is a section.
  private let preservesSections: Bool

  /// A part takes about a hundred bytes.
  private static let maxParts = 1_000_000

  init(_ children: [ChildContent], preservesSections: Bool) {
    self.children = children
    self.preservesSections = preservesSections
  }

  // Concurrent, to leave the isolation of the source free.
  /// - Throws: `TableError.limit` for too many parts: a source that joins itself over and over doubles
  ///   them each time.
  @concurrent
  func snapshot() async throws -> Snapshot {
    let count = children.reduce(0) { $0 + ($1.snapshot?.store.local?.numberOfParts ?? 0) }
    guard count <= Self.maxParts else {
      throw TableError.limit(
        "it joins \(count.counted("content")), more than \(Self.maxParts.grouped); join fewer",
        setting: "", at: nil)
    }
    var snapshot =
      if children.contains(where: { $0.snapshot.map { $0.store.local == nil } ?? false }) {
        joinedStores()
      } else {
        joinedTables()
      }
    if preservesSections { snapshot.indexParts = indexParts }
    snapshot.failures = children.enumerated().compactMap { index, child in
      child.error.map { ChildOutcome(index: index, name: child.name, error: $0) }
    }
    return snapshot
  }

  /// Whether a content that joins children in memory shows their present contents; true for contents
  /// that are not in memory.
  ///
  /// - Complexity: O(children), or O(rows) if a child has the same objects in a new order.
  static func shows(_ snapshot: Snapshot, _ children: [any DataSource]) -> Bool {
    guard let table = snapshot.store.local?.table as? ConcatenatedTable else { return true }
    var parts: [ConcatenatedTable.Part] = []
    for child in children {
      guard let content = child.state.snapshot else { continue }
      guard let store = content.store.local else { return true }
      parts += store.parts
    }
    return parts.count == table.parts.count
      && zip(parts, table.parts).allSatisfy { $0.table === $1.table && $0.order == $1.order }
  }

  /// The index paths of the objects of a joined content that are a row of a child's table; empty for
  /// contents that are not in memory.
  ///
  /// - Complexity: O(rows).
  static func indexPaths(
    showing row: Int, of table: any Table, in content: Snapshot
  ) -> [IndexPath] {
    guard let store = content.store.local, let joined = store.table as? ConcatenatedTable
    else { return [] }
    var rows = [(table: table, row: row)]
    // A child that joins others in their order contributes the parts that it joins.
    if let inner = table as? ConcatenatedTable {
      let origin = inner.origin(of: row)
      rows.append((inner.parts[origin.part].table, origin.row))
    }
    var paths: [IndexPath] = []
    for (part, start) in zip(joined.parts, joined.offsets) {
      let found = rows.first {
        $0.table === part.table || EditedTable.haveSameRows($0.table, part.table)
      }
      guard let row = found?.row else { continue }
      for position in 0..<part.order.count where part.order[position] == row {
        paths.append(store.indexPath(ofPosition: start + position))
      }
    }
    return paths
  }

  private func joinedTables() -> Snapshot {
    var parts: [ConcatenatedTable.Part] = []
    var offsets = [0]
    var titles: [Value] = []
    for child in children {
      let store = child.snapshot?.store.local
      let start = offsets.last ?? 0
      if !preservesSections {
        titles.append(.string(child.name))
        offsets.append(start + (store?.numberOfObjects ?? 0))
      } else if let store {
        titles += store.sections.titles
        offsets += store.sections.offsets.dropFirst().map { start + $0 }
      }
      if let store { parts += store.parts }
    }
    let table = ConcatenatedTable(parts)
    return Snapshot(
      LocalStore(
        table: table, order: .natural(table.count),
        sections: Sections(offsets: offsets, titles: titles)))
  }

  /// The contents one after another, if some are not in memory.
  private func joinedStores() -> Snapshot {
    let parts = children.compactMap { child -> ConcatenatedStore.Part? in
      // A plain `nil` would be a null as the title.
      let title = preservesSections ? Value?.none : .string(child.name)
      // A child without content is an empty section.
      let empty = preservesSections ? nil : LocalStore(table: ValueTable([]))
      return (child.snapshot?.store ?? empty).map {
        ConcatenatedStore.Part(store: $0, title: title)
      }
    }
    return Snapshot(ConcatenatedStore(parts))
  }

  /// Empty when the section titles of all children determine their index titles.
  private var indexParts: [SectionIndexPart] {
    let snapshots = children.compactMap(\.snapshot)
    guard snapshots.contains(where: \.hasOwnIndex) else { return [] }
    var count = 0
    return snapshots.flatMap { snapshot in
      let sections = (0..<snapshot.numberOfSections).map { count + $0 }
      count += sections.count
      return snapshot.indexParts(newSections: sections)
    }
  }
}

/// The name and the content of a child: the old content after an error.
struct ChildContent: Sendable {
  let name: String
  let snapshot: Snapshot?
  let error: SourceError?

  init(_ child: any DataSource, _ result: Result<Snapshot, SourceError>) {
    name = child.name
    switch result {
    case .success(let content): (snapshot, error) = (content, nil)
    case .failure(let failure): (snapshot, error) = (child.state.snapshot, failure)
    }
  }
}

extension LocalStore {
  /// The rows as parts of a table. A concatenated table in its natural order returns its own parts,
  /// so that nested ``MultiSource``s result in one flat table.
  fileprivate var parts: [ConcatenatedTable.Part] {
    if case .natural = order, let table = table as? ConcatenatedTable { return table.parts }
    return [ConcatenatedTable.Part(table: table, order: order)]
  }

  fileprivate var numberOfParts: Int {
    guard case .natural = order, let table = table as? ConcatenatedTable else { return 1 }
    return table.parts.count
  }
}
