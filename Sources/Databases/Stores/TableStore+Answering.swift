public import DataSources
import DataTables

// Requests that the engine computes, wholly or in part.
extension TableStore {
  public func answer(
    _ request: ContentRequest, _ context: RequestContext
  ) async throws -> StoreAnswer {
    do { try table.check(request.keyPaths) } catch {
      // Content without objects accepts any key.
      guard numberOfObjects == 0 else { throw error }
      return StoreAnswer(self, rest: request, reasons: ["the table lacks a key of the request"])
    }
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

  private func arranging(
    _ request: ContentRequest, _ context: RequestContext
  ) async throws -> StoreAnswer {
    let isOrdered =
      switch layout {
      case .grouped(let groups): groups.isContiguous && !groups.isWindow
      case .paged(let pages): !pages.isWindow
      case .whole, .runs: true
      }
    guard isOrdered else {
      throw Shortcoming("the order of the sections below is not an order of the rows")
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
    let layout = try await SectionFinding(
      table, rows, atMost: numberOfObjects, journal, context
    )
    .sections(by: key, mode, settings, sort: sort)
    let store = TableStore(
      table, rows, layout, input: self.selection, journal: journal, batchSize: context.batchSize)
    if case .paged(let pages) = layout {
      // The keys of groups are different.
      return StoreAnswer(
        store, findings: try await pages.findings(isByValue: mode.isByValue, context.cancellation))
    }
    let shape = store.sections
    return StoreAnswer(
      store, repeatedTitles: shape.repeatedTitles(isOrdered: mode.keepsOrder),
      findings: KeyFinding.all(in: shape, isByValue: mode.isByValue))
  }

  /// The sizes and titles of the sections; those of paged sections have titles while changes are
  /// observed.
  var sections: Sections {
    if case .paged(let pages) = layout {
      return Sections(offsets: offsets, titles: pages.titles.all ?? [])
    }
    return Sections(
      offsets: offsets, titles: (0..<layout.count).compactMap(layout.knownTitle(of:)),
      listed: listedTitles)
  }
}

extension Sections {
  /// The titles that several sections have; groups have different titles.
  fileprivate func repeatedTitles(isOrdered: Bool) -> [RepeatedTitle] {
    isOrdered ? RepeatedTitle.all(titles) : []
  }
}
