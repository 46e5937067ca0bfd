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
    if let local = store.local { return try local.object(at: path) }
    let count = try numberOfObjects(in: path.section)
    guard path.row >= 0, path.row < count else {
      let title = try await title(of: path.section)
      throw SourceError.rowOutOfRange(path, rows: count, title: title)
    }
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

  /// The index path of the first object that has these values under these keys (null matches a
  /// missing key); nil without one.
  public func indexPath(matching values: Record) async throws -> IndexPath? {
    try await reading { try await store.indexPath(matching: values) }
  }

  /// The index path of the first object equal to `object`; nil without one.
  public func indexPath(of object: Value) async throws -> IndexPath? {
    try await reading { try await store.indexPath(of: object) }
  }

  /// The index path of the first object that satisfies a predicate; nil without one.
  ///
  /// - Throws: ``SourceError``, `unknownKey` when no object has a key of the predicate.
  public func indexPath(
    where predicate: Predicate, cancellation: Cancellation = Cancellation()
  ) async throws -> IndexPath? {
    do {
      if let local = store.local {
        let position = try local.table.firstPosition(
          in: local.order, satisfying: predicate, cancellation: cancellation)
        return position.map(local.indexPath(ofPosition:))
      }
      for try await batch in batches() {
        try cancellation.check()
        if let offset = try batch.objects.firstIndex(where: predicate.holds(on:)) {
          return IndexPath(section: batch.start.section, row: batch.start.row + offset)
        }
      }
      return nil
    } catch {
      throw SourceError(error)
    }
  }

  /// The value of a collection operator, such as `@count` or `@sum.price`, for each section.
  ///
  /// - Complexity: O(objects). A local store computes the values from columns.
  /// - Throws: ``SourceError``: `badArgument` for a path that does not begin with an operator,
  ///   `unknownKey` for a key that no object has.
  public func sectionValues(
    of path: ObjectKeyPath, cancellation: Cancellation = Cancellation()
  ) async throws(SourceError) -> [Value] {
    try await aggregates(of: path, cancellation: cancellation).values
  }

  /// The values of ``sectionValues(of:cancellation:)`` and the kinds of values that the operator
  /// reduced.
  ///
  /// - Parameter asOne: whether the objects of all sections are reduced to one value.
  package func aggregates(
    of path: ObjectKeyPath, asOne: Bool = false, cancellation: Cancellation = Cancellation()
  ) async throws(SourceError) -> SectionAggregates {
    guard case .collection(let kind)? = path.steps.first else {
      throw .data(.badArgument("`\(path)` does not begin with an operator such as @count or @sum"))
    }
    do {
      if let local = store.local {
        return try local.table.aggregates(
          of: kind, Array(path.steps.dropFirst()), in: local.order,
          sections: asOne ? .whole(local.order.count, title: "") : local.sections,
          cancellation: cancellation)
      }
      var result = SectionAggregates(values: [])
      let sections = 0..<numberOfSections
      for part in asOne ? [sections] : sections.map({ $0..<$0 + 1 }) {
        try cancellation.check()
        var objects: [Value] = []
        for section in part { objects += try await self.objects(in: section) }
        result.values.append(path.evaluate(on: .array(objects)))
        for use in path.operatorFindings(on: .array(objects)).prefix(1) {
          result.findings.merge(use.findings)
        }
      }
      return result
    } catch {
      throw SourceError(error)
    }
  }

  /// One array per section: its title, then the positions of its objects in the input.
  ///
  /// - Parameter transform: maps a position in the input to the returned position.
  /// - Complexity: O(rows), plus O(rows of the input) if the input is not in its natural order.
  func references(_ transform: (Int) -> Int = { $0 }) -> [[Value]] {
    guard let store = store.local else { return [] }
    let positions = inputPositions
    return (0..<store.numberOfSections).map { section in
      [store.sections.titles[section]]
        + store.rows(in: section).map { .integer(transform(positions?[$0] ?? $0)) }
    }
  }

  /// The position in the input of each row of the table; nil if each position equals its row.
  private var inputPositions: [Int: Int]? {
    guard case .rows(let rows)? = input else { return nil }
    return Dictionary(
      zip(rows.map { Int($0) }, rows.indices), uniquingKeysWith: { first, _ in first })
  }

  /// The position in the input of a row of the table.
  /// - Complexity: O(1) if the input is in its natural order, O(rows of the input) otherwise.
  func inputPosition(ofRow row: Int) -> Int {
    guard case .rows(let rows)? = input else { return row }
    return rows.firstIndex { Int($0) == row } ?? row
  }

  private func check(section: Int) throws(SourceError) {
    guard section >= 0, section < numberOfSections else {
      throw .sectionOutOfRange(section, sections: numberOfSections)
    }
  }

  private func reading<Result>(_ body: () async throws -> Result) async throws(SourceError)
    -> Result
  {
    do { return try await body() } catch { throw SourceError(error) }
  }
}
