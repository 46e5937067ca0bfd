import DataTables

/// Sorts the objects of another source and splits them into sections.
struct Sectioning: Sendable {
  /// nil for one section, titled "".
  var key: ObjectKeyPath?
  var sort: [SortDescriptor]
  var mode: SectionMode
  var settings: SectionSettings
  var indexTitles: IndexTitles

  // Concurrent, to leave the isolation of the source free during the sort.
  @concurrent
  func snapshot(
    of inner: Snapshot, cancellation: Cancellation, progress: Progress
  ) async throws -> Snapshot {
    let store = try await inner.localStore(cancellation: cancellation)
    let sort = sort.isEmpty ? key.map { mode.sort(by: $0, settings) } ?? [] : sort
    // Decode the key of the sections together with the sort keys, in one pass over a file.
    try store.table.decode(
      sort.map(\.keyPath) + (key.map { [$0] } ?? []), cancellation: cancellation)
    let arrangement = Arrangement(
      key: key, sort: sort, ordersSections: key != nil && !mode.keepsOrder)
    let sorted = try store.table.sorted(
      store.order, by: sort, cancellation: cancellation, progress: progress)
    let order = sorted.order
    guard let key else {
      let whole = LocalStore(
        table: store.table, order: order, sections: Sections.whole(order.count))
      return Snapshot(whole, indexTitles: indexTitles, arrangement: arrangement)
    }
    let phase = progress.begin("splitting \(order.count.grouped) objects into sections")
    defer { phase.end() }
    let rows = try mode.split(
      KeyedRows(store.table, key: key, rows: sorted, cancellation: cancellation), settings)
    return Snapshot(
      LocalStore(table: store.table, order: rows.order, sections: rows.sections),
      repeatedTitles: rows.sections.repeated, indexTitles: indexTitles,
      findings: KeyFinding.all(in: rows.sections, isByValue: mode.isByValue),
      arrangement: arrangement)
  }
}

extension Table {
  /// Sorts the rows of `order` and reports the sort as a phase of `progress`.
  func sorted(
    _ order: RowOrder, by sort: [SortDescriptor], cancellation: Cancellation, progress: Progress
  ) throws -> SortedRows {
    let phase = progress.begin("sorting \(order.count.grouped) objects")
    defer { phase.end() }
    return try sortedRows(order, by: sort, cancellation: cancellation)
  }
}
