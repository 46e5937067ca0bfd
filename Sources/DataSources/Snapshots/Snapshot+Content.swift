public import DataTables

// Reading sections and objects.
extension Snapshot {
  public var numberOfSections: Int { store.numberOfSections }
  /// In all sections.
  public var numberOfObjects: Int { store.numberOfObjects }
  /// The keys of the records, in order; empty when the objects are not records.
  public var keys: [String] { store.keys }

  /// - Throws: ``SourceError/sectionOutOfRange(_:sections:)``.
  public func numberOfObjects(in section: Int) throws(SourceError) -> Int {
    try check(section: section)
    return store.numberOfObjects(in: section)
  }

  /// - Throws: ``SourceError/sectionOutOfRange(_:sections:)``,
  ///   ``SourceError/rowOutOfRange(_:rows:title:)``; `changed` when the file has changed since it
  ///   was loaded.
  /// - Complexity: O(1) for a local store.
  public func object(at path: IndexPath) async throws -> Value {
    // The copy can be read even if the store no longer can.
    if let local = store.local ?? copy { return try local.object(at: path) }
    try await check(path)
    let objects = try await reading {
      try await store.objects(in: path.section, rows: path.row..<path.row + 1)
    }
    return objects.first ?? .null
  }

  /// All objects of a section; ``batches(of:in:)`` returns them in batches.
  /// - Throws: ``SourceError/sectionOutOfRange(_:sections:)``.
  public func objects(in section: Int) async throws -> [Value] {
    let count = try numberOfObjects(in: section)
    return try await reading { try await store.objects(in: section, rows: 0..<count) }
  }

  /// - Throws: ``SourceError/sectionOutOfRange(_:sections:)``.
  public func title(of section: Int) async throws -> Value {
    try check(section: section)
    return try await reading { try await store.titles(of: section..<section + 1) }.first ?? .null
  }

  public func titles() async throws -> [Value] {
    try await reading { try await store.titles(of: 0..<numberOfSections) }
  }

  /// The titles of a range of sections.
  package func titles(of sections: Range<Int>) async throws -> [Value] {
    try await reading { try await store.titles(of: sections) }
  }

  /// The objects of consecutive sections; see ``SnapshotStore/objects(in:)``.
  package func objects(in ranges: [SectionRows]) async throws -> [Value] {
    // The copy can be read even if the store no longer can.
    try await reading { try await (copy ?? store).objects(in: ranges) }
  }

  /// The index path of the first object that has these values under these keys (null matches a
  /// missing key); nil without one.
  public func indexPath(
    matching values: Record, cancellation: Cancellation = Cancellation()
  ) async throws -> IndexPath? {
    try await reading { try await store.indexPath(matching: values, cancellation: cancellation) }
  }

  /// The index path of the first object equal to `object`; nil without one.
  public func indexPath(
    of object: Value, cancellation: Cancellation = Cancellation()
  ) async throws -> IndexPath? {
    try await reading { try await store.indexPath(of: object, cancellation: cancellation) }
  }

  /// The index path of the first object that satisfies a predicate; nil without one.
  ///
  /// - Throws: ``SourceError``, `unknownKey` when no object has a key of the predicate.
  public func indexPath(
    where predicate: Predicate, cancellation: Cancellation = Cancellation()
  ) async throws -> IndexPath? {
    try await reading { try await store.indexPath(where: predicate, cancellation: cancellation) }
  }

  /// The nulls, the distinct values and the extremes of a key over all objects.
  /// - Throws: ``SourceError``, `unknownKey` for a key that no object has.
  public func summary(
    of key: ObjectKeyPath, _ context: RequestContext = RequestContext()
  ) async throws -> KeySummary {
    try await reading { try await store.summary(of: key, context) }
  }

  /// The value of a collection operator, such as `@count` or `@sum.price`, for each section.
  ///
  /// - Complexity: O(objects). A local store computes the values from columns.
  /// - Throws: ``SourceError``: `badArgument` for a path that does not begin with an operator,
  ///   `unknownKey` for a key that no object has, `limit` if more values than
  ///   ``RequestContext/copyLimit`` would be kept for a median or a union.
  public func sectionValues(
    of path: ObjectKeyPath, _ context: RequestContext = RequestContext()
  ) async throws(SourceError) -> [Value] {
    try await aggregates(of: path, context).values
  }

  /// The values of ``sectionValues(of:_:)`` and the kinds of values that the operator
  /// reduced.
  ///
  /// - Parameter asOne: whether the objects of all sections are reduced to one value.
  package func aggregates(
    of path: ObjectKeyPath, asOne: Bool = false, _ context: RequestContext = RequestContext()
  ) async throws(SourceError) -> SectionAggregates {
    guard case .collection(let kind)? = path.steps.first else {
      throw .data(.badArgument("`\(path)` does not begin with an operator such as @count or @sum"))
    }
    return try await reading {
      try await store.aggregates(
        of: kind, Array(path.steps.dropFirst()), asOne: asOne, context)
    }
  }

  /// One array per section: its title, then the positions of its objects in the input.
  ///
  /// - Parameter transform: maps a position in the input to the returned position.
  func references(
    cancellation: Cancellation, _ transform: (Int) -> Int = { $0 }
  ) async throws -> [[Value]] {
    let titles = try await titles()
    let positions = try await reading { try await store.inputPositions(cancellation: cancellation) }
    return zip(titles, positions).map { title, positions in
      [title] + positions.map { .integer(transform($0)) }
    }
  }

  /// The index paths of all objects that satisfy a predicate, in order.
  ///
  /// - Throws: ``SourceError``: `unknownKey` for a key that no object has.
  // Concurrent, to leave the isolation of the source free.
  @concurrent
  package func indexPaths(
    where predicate: Predicate, _ context: RequestContext
  ) async throws -> [IndexPath] {
    guard let store = store.local else {
      var paths: [IndexPath] = []
      for try await batch in batches() {
        try context.cancellation.check()
        for (row, object) in batch.objects.enumerated() where try predicate.holds(on: object) {
          paths.append(IndexPath(section: batch.start.section, row: batch.start.row + row))
        }
      }
      return paths
    }
    let found = try store.table.filtered(
      store.order, in: .whole(store.order.count), by: predicate, keepsEmpty: true,
      cancellation: context.cancellation
    ).order
    // They have the order of the content.
    var paths: [IndexPath] = []
    paths.reserveCapacity(found.count)
    for section in 0..<store.sections.count where paths.count < found.count {
      let positions = store.sections.offsets[section]..<store.sections.offsets[section + 1]
      for position in positions
      where paths.count < found.count && store.order[position] == found[paths.count] {
        paths.append(IndexPath(section: section, row: position - positions.lowerBound))
      }
    }
    return paths
  }

  /// The index path of the object with an identity, in the content or in the copy that a wrapper
  /// made of it.
  func indexPath(of identity: RowIdentity) async throws -> IndexPath? {
    if let path = try await store.indexPath(of: identity) { return path }
    return try await copy?.indexPath(of: identity)
  }

  private func check(section: Int) throws(SourceError) {
    guard section >= 0, section < numberOfSections else {
      throw .sectionOutOfRange(section, sections: numberOfSections)
    }
  }

  private func reading<Result>(
    _ body: () async throws -> Result
  ) async throws(SourceError) -> Result {
    do { return try await body() } catch { throw SourceError(error) }
  }
}
