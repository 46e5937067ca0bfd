public import DataSources
import DataTables

// Requests that the engine computes, wholly or in part.
extension TableStore {
  public func answer(
    _ request: ContentRequest, _ context: RequestContext
  ) async throws -> StoreAnswer {
    try table.check(request.keyPaths)
    do {
      if let cache = context.cache { table.open(cache) }
      try await learn(request, context)
      // The rows are useless if the facts differ from the presumed ones.
      defer { table.dropPrefetched() }
      switch request.sections {
      case .kept(let showsEmpty):
        return try await selecting(request, showsEmpty: showsEmpty, context)
      case .whole, .split: return try await arranging(request, context)
      }
    } catch let shortcoming as Shortcoming {
      return StoreAnswer(self, rest: request, reasons: [shortcoming.description])
    } catch {
      throw SourceError(error)
    }
  }

  // MARK: The same sections

  private func selecting(
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
    default:
      let count = try await table.count(translated.selection, journal, context.cancellation)
      let title = layout.title(of: 0)
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
    }
  }

  // MARK: New sections

  private func arranging(
    _ request: ContentRequest, _ context: RequestContext
  ) async throws -> StoreAnswer {
    if case .grouped(let groups) = layout {
      guard groups.isContiguous, !groups.isWindow else {
        throw Shortcoming("the order of the sections below is not an order of the rows")
      }
    }
    let journal = StoreJournal(context.cache)
    let translated = RequestTranslation(table).translate(request, over: selection)
    if translated.rest == nil {
      do {
        return try await sections(
          request, of: translated.selection, sort: request.sort, journal, context)
      } catch let shortcoming as Shortcoming {
        var rest = ContentRequest(sections: request.sections)
        rest.sort = []
        let store = try await whole(translated.selection, journal, context)
        return StoreAnswer(store, rest: rest, reasons: [shortcoming.description])
      }
    }
    return StoreAnswer(
      try await whole(translated.selection, journal, context), rest: translated.rest,
      reasons: translated.reasons)
  }

  private func whole(
    _ selection: RowSelection, _ journal: StoreJournal, _ context: RequestContext
  ) async throws -> TableStore {
    let count = try await table.count(selection, journal, context.cancellation)
    return TableStore(
      table, selection, .whole(title: "", count: count), input: self.selection, journal: journal,
      batchSize: context.batchSize)
  }

  private func sections(
    _ request: ContentRequest, of selection: RowSelection, sort: [SortDescriptor],
    _ journal: StoreJournal, _ context: RequestContext
  ) async throws -> StoreAnswer {
    guard case .split(let key, let mode, let settings) = request.sections else {
      return StoreAnswer(try await whole(selection, journal, context))
    }
    var rows = selection
    if !mode.keepsOrder { rows = selection.nested(table) }
    let layout = try await SectionFinding(table, rows, journal, context)
      .sections(by: key, mode, settings, sort: sort)
    let store = TableStore(
      table, rows, layout, input: self.selection, journal: journal, batchSize: context.batchSize)
    let shape = store.sections
    return StoreAnswer(
      store, repeatedTitles: shape.repeatedTitles(isOrdered: mode.keepsOrder),
      findings: KeyFinding.all(in: shape, isByValue: mode.isByValue))
  }

  /// The sizes and titles of the sections.
  var sections: Sections {
    var offsets = [0]
    for section in 0..<layout.count {
      offsets.append((offsets.last ?? 0) + layout.numberOfObjects(in: section))
    }
    return Sections(
      offsets: offsets, titles: (0..<layout.count).map(layout.title(of:)), listed: listedTitles)
  }
}

extension Sections {
  /// The titles that several sections have; groups have different titles.
  fileprivate func repeatedTitles(isOrdered: Bool) -> [RepeatedTitle] {
    isOrdered ? RepeatedTitle.all(titles) : []
  }
}
