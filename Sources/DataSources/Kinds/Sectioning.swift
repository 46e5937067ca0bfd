import DataTables

/// How a wrapper makes sections of what it wraps.
struct Sectioning: Sendable {
  /// nil for one section, titled "".
  var key: ObjectKeyPath?
  var sort: [SortDescriptor]
  var mode: SectionMode
  var settings: SectionSettings
  var indexTitles: IndexTitles

  // Elsewhere, so that the isolation of the source is free while it sorts.
  @concurrent
  func snapshot(
    of inner: Snapshot, cancellation: Cancellation, progress: Progress
  ) async throws -> Snapshot {
    let store = try await inner.localStore(cancellation: cancellation)
    let sort = sort.isEmpty ? key.map { mode.sort(by: $0, settings) } ?? [] : sort
    // What the cut needs too, so that the columns of a file are decoded in one pass.
    try store.table.decode(
      sort.map(\.keyPath) + (key.map { [$0] } ?? []), cancellation: cancellation)
    let arrangement = Arrangement(
      key: key, sort: sort, ordersSections: key != nil && !mode.keepsOrder)
    let sorted = try store.table.sorted(
      store.order, by: sort, cancellation: cancellation, progress: progress)
    let order = sorted.order
    guard let key else {
      let whole = LocalStore(
        table: store.table, order: order, sections: SectionCut.whole(order.count))
      return Snapshot(whole, indexTitles: indexTitles, arrangement: arrangement)
    }
    let phase = progress.begin("cutting \(order.count.grouped) objects into sections")
    defer { phase.end() }
    let rows = try mode.cut(
      KeyedRows(store.table, key: key, rows: sorted, cancellation: cancellation), settings)
    return Snapshot(
      LocalStore(table: store.table, order: rows.order, sections: rows.sections),
      repeatedTitles: rows.sections.repeated, indexTitles: indexTitles,
      findings: KeyFinding.all(in: rows.sections, isByValue: mode.isByValue),
      arrangement: arrangement)
  }
}

extension Table {
  /// The rows of `order` by some descriptors, told as a phase of its own.
  func sorted(
    _ order: RowOrder, by sort: [SortDescriptor], cancellation: Cancellation, progress: Progress
  ) throws -> SortedRows {
    let phase = progress.begin("sorting \(order.count.grouped) objects")
    defer { phase.end() }
    return try sortedRows(order, by: sort, cancellation: cancellation)
  }
}

extension Snapshot {
  /// The content as a table with an order: the store's own, or a copy of its objects.
  ///
  /// - Parameter batch: how many objects are read at a time, where they are not at hand.
  func localStore(cancellation: Cancellation, batch: Int? = nil) async throws -> LocalStore {
    if let local = store.local { return local }
    var objects: [Value] = []
    for try await batch in batches(of: batch ?? 1_024) {
      try cancellation.check()
      objects += batch.objects
    }
    var offsets = [0]
    for section in 0..<numberOfSections {
      offsets.append(offsets[section] + store.numberOfObjects(in: section))
    }
    return LocalStore(
      table: ValueTable(objects), order: .natural(objects.count),
      sections: SectionCut(offsets: offsets, titles: try await titles()))
  }
}
