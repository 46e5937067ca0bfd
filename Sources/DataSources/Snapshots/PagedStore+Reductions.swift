public import DataTables

// Values over all objects. The objects are read in batches, and none is kept.
extension PagedStore {
  public func aggregates(
    of kind: CollectionOperator, _ steps: [ObjectKeyPath.Step], asOne: Bool,
    _ context: RequestContext
  ) async throws -> SectionAggregates {
    try await reducedAggregates(of: kind, steps, asOne: asOne, context)
  }

  /// - Throws: `TableError`: `unknownKey`, and `limit` if a median or a union has more values than
  ///   ``RequestContext/copyLimit``.
  package func reducedAggregates(
    of kind: CollectionOperator, _ steps: [ObjectKeyPath.Step], asOne: Bool,
    _ context: RequestContext
  ) async throws -> SectionAggregates {
    let counts = (0..<numberOfSections).map { numberOfObjects(in: $0) }
    if kind == .count {
      return SectionAggregates(
        values: (asOne ? [counts.reduce(0, +)] : counts).map { .integer($0) })
    }
    let path = ObjectKeyPath(steps)
    var reduction = SectionReduction(kind, sections: asOne ? 1 : numberOfSections)
    try await forEachBatch(evaluating: path, context) { batch in
      for object in batch.objects {
        reduction.add(
          steps.isEmpty ? object : path.evaluate(on: object),
          toSection: asOne ? 0 : batch.start.section)
      }
      return reduction.numberOfKeptValues
    }
    return reduction.aggregates
  }

  public func summary(of key: ObjectKeyPath, _ context: RequestContext) async throws -> KeySummary {
    try await reducedSummary(of: key, context)
  }

  /// - Throws: `TableError`: `unknownKey`, and `limit` for more distinct values than
  ///   ``RequestContext/copyLimit``.
  package func reducedSummary(
    of key: ObjectKeyPath, _ context: RequestContext
  ) async throws -> KeySummary {
    var reduction = KeyReduction()
    try await forEachBatch(evaluating: key, context) { batch in
      for object in batch.objects { reduction.add(key.evaluate(on: object)) }
      return reduction.numberOfKeptValues
    }
    return reduction.summary
  }

  public func report(on key: String, _ context: RequestContext) async throws -> ColumnReport {
    let path = ObjectKeyPath(key: key)
    var types = ColumnTypes()
    try await forEachBatch(evaluating: path, context) { batch in
      for object in batch.objects { types.add(path.evaluate(on: object)) }
      return 0
    }
    return ColumnReport(key: key, type: types.columnType, isExact: true)
  }

  public func types(of key: ObjectKeyPath, _ context: RequestContext) async throws -> [ValueType] {
    var types: Set<ValueType> = []
    try await forEachBatch(evaluating: key, context) { batch in
      for object in batch.objects { types.insert(key.evaluate(on: object).type) }
      return 0
    }
    return types.subtracting([.null]).sorted()
  }

  /// - Parameter body: returns the number of values that it keeps.
  private func forEachBatch(
    evaluating path: ObjectKeyPath, _ context: RequestContext,
    _ body: (ObjectBatch) throws -> Int
  ) async throws {
    try check([path])
    var presence = KeyPresence(path)
    let phase = context.progress.begin(
      "reading \(numberOfObjects.grouped) objects", unit: .rows, total: numberOfObjects)
    defer { phase.end() }
    for try await batch in Snapshot(self).batches(of: context.batchSize ?? 1_024) {
      try context.cancellation.check()
      presence.add(batch.objects)
      let kept = try body(batch)
      if let limit = context.copyLimit, kept > limit {
        throw TableError.limit(
          "more than \(limit.grouped) values would be kept",
          setting: "option limit \(numberOfObjects)", at: nil)
      }
      phase.advance(by: batch.objects.count)
    }
    try presence.check()
  }
}
