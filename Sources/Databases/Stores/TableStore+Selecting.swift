import DataSources
import DataTables

// Requests that keep the sections.
extension TableStore {
  func selecting(
    _ request: ContentRequest, showsEmpty: Bool, _ context: RequestContext
  ) async throws -> StoreAnswer {
    if request.predicate == nil, request.distinct == nil { return try windowed(request) }
    let window = (offset: request.offset, limit: request.limit)
    var unlimited = request
    (unlimited.offset, unlimited.limit) = (0, nil)
    switch layout {
    case .runs: throw Shortcoming("the rows of the runs are known by their positions only")
    case .grouped(let groups) where request.distinct != nil || groups.isWindow:
      throw Shortcoming("the order of the sections is not an order of the rows")
    case .paged(let pages) where request.distinct != nil || pages.isWindow:
      throw Shortcoming("the titles of the sections are not in memory")
    default: break
    }
    let translated = RequestTranslation(table).translate(unlimited, over: selection)
    let journal = StoreJournal(context.cache)
    let store: TableStore
    var kept: [Int]
    switch layout {
    case .grouped(let groups):
      (store, kept) = try await filtered(
        groups, translated.selection, keepsEmpty: showsEmpty || translated.rest != nil, journal,
        context)
    case .paged(let pages):
      (store, kept) = try await filtered(
        pages, translated.selection, keepsEmpty: showsEmpty || translated.rest != nil, journal,
        context)
    default:
      let count = try await table.count(translated.selection, journal, context.cancellation)
      let title = layout.knownTitle(of: 0) ?? ""
      let isKept = count > 0 || showsEmpty || title == "" || translated.rest != nil
      kept = isKept ? [0] : []
      let layout: SectionLayout =
        isKept ? .whole(title: title, count: count) : .runs(starts: [0], titles: [])
      store = TableStore(
        table, translated.selection, layout, journal: journal, batchSize: context.batchSize)
    }
    if var rest = translated.rest {
      (rest.offset, rest.limit) = window
      return StoreAnswer(store, rest: rest, reasons: translated.reasons, keptSections: kept)
    }
    guard request.isLimited else { return StoreAnswer(store, keptSections: kept) }
    let answer = try store.windowed(ContentRequest(offset: window.offset, limit: window.limit))
    kept = answer.keptSections.map { $0.map { kept[$0] } } ?? kept
    return StoreAnswer(answer.store, keptSections: kept)
  }

  /// The groups with the rows of a selection that has more conditions.
  private func filtered(
    _ groups: GroupedSections, _ selection: RowSelection, keepsEmpty: Bool,
    _ journal: StoreJournal, _ context: RequestContext
  ) async throws -> (TableStore, [Int]) {
    let rows = try await table.rows(
      "SELECT \(groups.key.sql), count(*)\(selection.rows()) GROUP BY \(groups.key.sql)", journal,
      context.cancellation)
    var counts = [Int](repeating: 0, count: groups.sections.count)
    for row in rows {
      if let section = section(ofMember: row[0]) { counts[section] += row.count(1) }
    }
    var filtered = groups
    filtered.sections = []
    filtered.listed = nil
    var kept: [Int] = []
    for (index, section) in groups.sections.enumerated() where counts[index] > 0 || keepsEmpty {
      var section = section
      section.count = counts[index]
      filtered.sections.append(section)
      kept.append(index)
    }
    let store = TableStore(
      table, selection, .grouped(filtered), journal: journal, batchSize: context.batchSize)
    return (store, kept)
  }

  /// The titles are read once, with the counts of the rows that remain.
  private func filtered(
    _ pages: PagedSections, _ selection: RowSelection, keepsEmpty: Bool,
    _ journal: StoreJournal, _ context: RequestContext
  ) async throws -> (TableStore, [Int]) {
    let collector = SectionCollector(pages.titles.term, skipsEmpty: !keepsEmpty)
    try await table.forEachBatch(
      pages.titles.counts(in: selection), journal, context.cancellation
    ) { await collector.add($0) }
    let layout: SectionLayout
    switch await collector.found {
    case .none: throw DatabaseError(.changed, "the table has changed since it was fetched")
    case .few(let rows):
      layout = .grouped(
        GroupedSections(
          key: pages.key,
          sections: rows.map { .init(title: $0[0], members: [$0[0]], count: $0.count(1)) },
          isContiguous: true))
    case .many(let offsets, let outline):
      let titles =
        keepsEmpty
        ? pages.titles
        : PagedTitles(
          table, selection.unlimited, by: pages.key, orderedBy: pages.titles.term, outline, journal)
      layout = .paged(PagedSections(key: pages.key, offsets: offsets, titles: titles))
    }
    let store = TableStore(table, selection, layout, journal: journal, batchSize: context.batchSize)
    return (store, await collector.kept)
  }

  /// The rows of a window, counted over all sections.
  private func windowed(_ request: ContentRequest) throws -> StoreAnswer {
    let total = numberOfObjects
    let start = min(request.offset, total)
    let count = min(request.limit ?? total, total - start)
    switch layout {
    case .whole(let title, _):
      var window = selection
      window.offset += start
      window.limit = count
      let isKept = count > 0 || title == ""
      let layout: SectionLayout =
        isKept ? .whole(title: title, count: count) : .runs(starts: [0], titles: [])
      return StoreAnswer(
        TableStore(table, window, layout, journal: StoreJournal(), batchSize: pages.size),
        keptSections: isKept ? [0] : [])
    case .runs(let starts, let titles):
      var window = selection
      window.offset += start
      window.limit = count
      var kept: [Int] = []
      var newStarts: [Int] = []
      for section in titles.indices
      where max(starts[section], start) < min(starts[section + 1], start + count) {
        kept.append(section)
        newStarts.append(max(starts[section], start) - start)
      }
      return StoreAnswer(
        TableStore(
          table, window,
          .runs(starts: newStarts + [count], titles: kept.map { titles[$0] }),
          journal: StoreJournal(), batchSize: pages.size),
        keptSections: kept)
    case .grouped(let groups):
      let (window, kept) = groups.window(from: start, atMost: count)
      return StoreAnswer(
        TableStore(
          table, selection, .grouped(window), journal: StoreJournal(), batchSize: pages.size),
        keptSections: kept)
    case .paged(let sections):
      let (window, kept) = sections.window(from: start, atMost: count)
      return StoreAnswer(
        TableStore(
          table, selection, .paged(window), journal: StoreJournal(), batchSize: pages.size),
        keptSections: Array(kept))
    }
  }
}
