import DataTables

/// The objects of several stores, one store after another, if some are not in memory. Nothing is
/// copied: each read goes to the store that has the objects.
struct ConcatenatedStore: PagedStore {
  struct Part {
    let store: any SnapshotStore
    /// The title of the one section with all objects of the store; nil to keep the sections.
    let title: Value?

    fileprivate var numberOfSections: Int { title == nil ? store.numberOfSections : 1 }
  }
  private let parts: [Part]
  /// The first section of each part, then the number of sections.
  private let starts: [Int]
  /// The sections of the parts that are shown.
  private var shown: [Int]
  let keys: [String]

  init(_ parts: [Part]) {
    self.parts = parts
    starts = parts.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.numberOfSections) }
    shown = Array(0..<(starts.last ?? 0))
    var known: Set<String> = []
    keys = parts.flatMap(\.store.keys).filter { known.insert($0).inserted }
  }

  var numberOfSections: Int { shown.count }
  var numberOfObjects: Int { parts.reduce(0) { $0 + $1.store.numberOfObjects } }
  var hasOtherObjects: Bool { parts.contains { $0.store.hasOtherObjects } }

  /// The part with a section, and the section in it.
  private func place(of section: Int) -> (part: Part, section: Int) {
    let section = shown[section]
    let index = (starts.firstIndex { $0 > section } ?? starts.count) - 1
    return (parts[index], section - starts[index])
  }

  func numberOfObjects(in section: Int) -> Int {
    let (part, section) = place(of: section)
    return part.title == nil
      ? part.store.numberOfObjects(in: section) : part.store.numberOfObjects
  }

  func knownTitle(of section: Int) -> Value? {
    let (part, section) = place(of: section)
    return part.title ?? part.store.knownTitle(of: section)
  }

  func titles(of sections: Range<Int>) async throws -> [Value] {
    var titles: [Value] = []
    for section in sections {
      let (part, section) = place(of: section)
      if let title = part.title {
        titles.append(title)
      } else {
        titles += try await part.store.titles(of: section..<section + 1)
      }
    }
    return titles
  }

  func objects(in section: Int, rows: Range<Int>) async throws -> [Value] {
    let (part, section) = place(of: section)
    guard part.title != nil else {
      return try await part.store.objects(in: section, rows: rows)
    }
    return try await part.store.objects(in: part.store.sectionRows(at: rows))
  }

  // MARK: Index paths

  func indexPath(
    matching values: Record, cancellation: Cancellation
  ) async throws -> IndexPath? {
    try await first { try await $0.indexPath(matching: values, cancellation: cancellation) }
  }

  func indexPath(of object: Value, cancellation: Cancellation) async throws -> IndexPath? {
    try await first { try await $0.indexPath(of: object, cancellation: cancellation) }
  }

  func indexPath(
    where predicate: Predicate, cancellation: Cancellation
  ) async throws -> IndexPath? {
    guard haveAll(predicate.keyPaths) else {
      return try await firstIndexPath(satisfying: predicate, cancellation)
    }
    return try await first {
      try await $0.indexPath(where: predicate, cancellation: cancellation)
    }
  }

  func indexPath(of identity: RowIdentity) async throws -> IndexPath? {
    try await first { try await $0.indexPath(of: identity) }
  }

  func identity(at path: IndexPath) async throws -> RowIdentity? {
    let (part, section) = place(of: path.section)
    guard part.title != nil else {
      return try await part.store.identity(at: IndexPath(section: section, row: path.row))
    }
    guard let path = part.store.indexPath(ofPosition: path.row) else { return nil }
    return try await part.store.identity(at: path)
  }

  /// The first index path that a part returns.
  private func first(
    _ path: (any SnapshotStore) async throws -> IndexPath?
  ) async throws -> IndexPath? {
    for (part, start) in zip(parts, starts) {
      guard let path = try await path(part.store) else { continue }
      let section = part.title == nil ? start + path.section : start
      let row = part.title == nil ? path.row : part.store.position(of: path)
      return shown.firstIndex(of: section).map { IndexPath(section: $0, row: row) }
    }
    return nil
  }

  // MARK: Values over all objects

  /// The parts reduce their own sections if each has the keys.
  func aggregates(
    of kind: CollectionOperator, _ steps: [ObjectKeyPath.Step], asOne: Bool,
    _ context: RequestContext
  ) async throws -> SectionAggregates {
    guard !asOne, shown.count == starts.last, !steps.isEmpty, haveAll([ObjectKeyPath(steps)]) else {
      return try await reducedAggregates(of: kind, steps, asOne: asOne, context)
    }
    var all = SectionAggregates(values: [])
    for part in parts {
      all.append(
        try await part.store.aggregates(of: kind, steps, asOne: part.title != nil, context))
    }
    return all
  }

  /// The tables of the parts one after another, if no section is hidden.
  func table(_ context: RequestContext) async throws -> (any Table)? {
    guard shown.count == starts.last else { return nil }
    var tables: [ConcatenatedTable.Part] = []
    for part in parts {
      if let local = part.store.local {
        tables.append(ConcatenatedTable.Part(table: local.table, order: local.order))
      } else if let table = try await part.store.table(context) {
        tables.append(ConcatenatedTable.Part(table: table, order: .natural(table.count)))
      } else {
        return nil
      }
    }
    return ConcatenatedTable(tables)
  }

  // MARK: Requests

  /// A predicate is passed to the stores, if each of them has its keys and can evaluate all of it.
  func answer(_ request: ContentRequest, _ context: RequestContext) async throws -> StoreAnswer {
    guard case .kept(let showsEmpty) = request.sections, let predicate = request.predicate,
      haveAll(predicate.keyPaths), request.distinct == nil, request.sort.isEmpty,
      !request.isLimited
    else { return StoreAnswer(self, rest: request) }
    let wanted = ContentRequest(where: predicate, sections: .kept(showsEmpty: true))
    var filtered: [Part] = []
    for part in parts {
      let answer = try await part.store.answer(wanted, context)
      if answer.rest != nil { return StoreAnswer(self, rest: request, reasons: answer.reasons) }
      filtered.append(Part(store: answer.store, title: part.title))
    }
    var store = ConcatenatedStore(filtered)
    let kept = shown.indices.filter { section in
      showsEmpty || store.numberOfObjects(in: shown[section]) > 0
    }
    store.shown = kept.map { shown[$0] }
    return StoreAnswer(store, keptSections: kept)
  }

  /// Whether all stores have the keys of some paths.
  private func haveAll(_ paths: [ObjectKeyPath]) -> Bool {
    paths.allSatisfy { path in
      guard case .key(let key)? = path.steps.first else { return true }
      return key == "SELF" || parts.allSatisfy { $0.store.keys.contains(key) }
    }
  }

  var computation: StoreComputation? {
    let all = parts.compactMap(\.store.computation)
    guard var result = all.first else { return nil }
    for other in all.dropFirst() { result.add(other) }
    return result
  }
}

extension SnapshotStore {
  /// The rows of sections at a range of positions, which are counted over all sections.
  fileprivate func sectionRows(at positions: Range<Int>) -> [SectionRows] {
    var start = 0
    var found: [SectionRows] = []
    for section in 0..<numberOfSections where start < positions.upperBound {
      let count = numberOfObjects(in: section)
      let rows = positions.clamped(to: start..<start + count)
      if !rows.isEmpty {
        found.append(
          SectionRows(section: section, rows: rows.lowerBound - start..<rows.upperBound - start))
      }
      start += count
    }
    return found
  }
}

extension StoreComputation {
  /// Adds the work of another engine or table.
  fileprivate mutating func add(_ other: StoreComputation) {
    if !origin.contains(other.origin) { origin += ", " + other.origin }
    statements += other.statements
    rowsRead += other.rowsRead
    pages += other.pages
    assumptions += other.assumptions.filter { !assumptions.contains($0) }
  }
}
