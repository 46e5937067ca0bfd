import DataTables

// A local store computes all parts of a request.
extension LocalStore {
  public func answer(_ request: ContentRequest, _ context: RequestContext) throws -> StoreAnswer {
    switch request.sections {
    case .kept(let showsEmpty): try selecting(request, showsEmpty: showsEmpty, context)
    case .whole:
      StoreAnswer(
        try updating(request, nil, context) ?? (try arranged(request, context).whole))
    case .split(let key, let mode, let settings):
      try split(request, by: key, mode, settings, context)
    }
  }

  /// The content that follows from ``RequestContext/previous``; nil if all rows must be sorted and
  /// split.
  private func updating(
    _ request: ContentRequest, _ sections: Arrangement.SectionKey?, _ context: RequestContext
  ) throws -> LocalStore? {
    guard let previous = context.previous?.store.local, let input = previous.input,
      request.distinct == nil, !request.isLimited
    else { return nil }
    let arrangement = Arrangement(
      where: request.predicate, sort: request.sort, sections: sections,
      cancellation: context.cancellation)
    return try arrangement.updating(previous.content, of: input, to: table, order).map {
      with($0.order, $0.sections, input: order)
    }
  }

  /// The selected objects in their sections.
  private func selecting(
    _ request: ContentRequest, showsEmpty: Bool, _ context: RequestContext
  ) throws -> StoreAnswer {
    var (store, kept) = (self, Array(0..<sections.count))
    func keep(_ next: (store: LocalStore, sections: [Int])) {
      store = next.store
      kept = next.sections.map { kept[$0] }
    }
    if let predicate = request.predicate {
      keep(
        try store.filtered(
          by: predicate, keepsEmpty: showsEmpty, cancellation: context.cancellation))
    }
    if let keys = request.distinct {
      let phase = context.progress.begin("comparing \(store.order.count.grouped) objects")
      defer { phase.end() }
      keep(
        store.keeping(
          try table.firstOfEach(in: store.order, by: keys, cancellation: context.cancellation)))
    }
    if request.isLimited {
      keep(store.keeping(store.range(of: request).map { UInt32(truncatingIfNeeded: $0) }))
    }
    return StoreAnswer(store, keptSections: kept)
  }

  /// The positions that the offset and the limit of a request keep.
  private func range(of request: ContentRequest) -> Range<Int> {
    order.range(from: request.offset, atMost: request.limit)
  }

  private func split(
    _ request: ContentRequest, by key: ObjectKeyPath, _ mode: SectionMode,
    _ settings: SectionSettings, _ context: RequestContext
  ) throws -> StoreAnswer {
    let store: LocalStore
    if let updated = try updating(
      request, Arrangement.SectionKey(key, mode, settings), context)
    {
      store = updated
    } else {
      let arranged = try arranged(request, defersOrder: mode.ignoresOrder, context)
      let count = arranged.rows.order.count
      let phase = context.progress.begin("splitting \(count.grouped) objects into sections")
      defer { phase.end() }
      let rows = try mode.split(
        KeyedRows(table, key: key, rows: arranged.rows, cancellation: context.cancellation),
        settings)
      store = with(rows.order, rows.sections, input: order)
    }
    return StoreAnswer(
      store, repeatedTitles: store.sections.repeated,
      findings: KeyFinding.all(in: store.sections, isByValue: mode.isByValue))
  }

  /// The selected rows in the order of the sort, without regard to sections.
  /// - Parameter defersOrder: whether the rows may be sorted later, when one is read.
  private func arranged(
    _ request: ContentRequest, defersOrder: Bool = false, _ context: RequestContext
  ) throws -> ArrangedRows {
    let cancellation = context.cancellation
    // One pass over a file decodes the key of the sections together with the keys of the sort.
    try table.decode(
      request.sort.map(\.keyPath) + (request.key.map { [$0] } ?? []), cancellation: cancellation)
    var order = order
    if let predicate = request.predicate {
      order = try table.filtered(
        order, in: .whole(order.count), by: predicate, cancellation: cancellation
      ).order
    }
    if let keys = request.distinct {
      let phase = context.progress.begin("comparing \(order.count.grouped) objects")
      defer { phase.end() }
      let first = try table.firstOfEach(in: order, by: keys, cancellation: cancellation)
      order = .rows(first.map { UInt32(truncatingIfNeeded: order[Int($0)]) })
    }
    let kept = order.range(from: request.offset, atMost: request.limit)
    guard request.isLimited, !request.sort.isEmpty, kept.upperBound < order.count else {
      let phase = context.progress.begin("sorting \(order.count.grouped) objects")
      defer { phase.end() }
      let sorted = try table.sortedRows(
        order, by: request.sort, defersOrder: defersOrder && kept.count == order.count,
        cancellation: cancellation)
      return ArrangedRows(
        store: self,
        rows: kept.count == order.count ? sorted : SortedRows(sorted.order.rows(at: kept)))
    }
    let phase = context.progress.begin("choosing among \(order.count.grouped) objects")
    defer { phase.end() }
    let leading = try table.leading(
      kept.upperBound, of: order, by: request.sort, cancellation: cancellation)
    return ArrangedRows(store: self, rows: SortedRows(leading.rows(at: kept)))
  }

  private struct ArrangedRows {
    let store: LocalStore
    let rows: SortedRows

    var whole: LocalStore {
      store.with(rows.order, .whole(rows.order.count), input: store.order)
    }
  }
}

extension RowOrder {
  /// The positions that remain after `offset` and a limit.
  fileprivate func range(from offset: Int, atMost limit: Int?) -> Range<Int> {
    let start = min(offset, count)
    return start..<start + min(limit ?? count, count - start)
  }
}
