package import DataSources
package import DataTables
package import Databases
package import Testing

/// The requests that an engine answers, compared with the answers of the shell over the same rows.
package struct Meaning {
  package let table: any SnapshotStore
  package let local: LocalStore
  private let comment: Comment

  /// - Parameter name: a table whose key is `id`.
  package init(of name: TableName, in database: Database, seed: UInt64) async throws {
    let source = try await TableSource.open(name, of: database)
    table = try source.content.store
    let dialect = database.connection.dialect
    let all = try await database.connection.snapshot(of: [], cancellation: Cancellation())
      .rows(
        "SELECT * FROM \(SQL(dialect.name(name.name))) ORDER BY id", cancellation: Cancellation())
    let shape = Record.Shape(all.columns.map(\.name))
    let objects = all.rows.map { Value.record(Record(shape: shape, values: $0)) }
    local = LocalStore(table: ValueTable(objects))
    comment = "seed \(seed)"
  }

  /// Expects the same sections and objects.
  ///
  /// - Parameter isPushed: whether the engine computes the whole request.
  package func expectSame(
    _ request: ContentRequest, isPushed: Bool = true, _ name: String,
    at location: SourceLocation = #_sourceLocation
  ) async throws {
    let answer = try await table.answer(request, RequestContext())
    #expect(
      (answer.rest == nil) == isPushed, "\(name): \(answer.reasons)", sourceLocation: location)
    guard answer.rest == nil else { return }
    let expected = try local.answer(request, RequestContext()).store
    let found = try await Self.content(answer.store)
    let wanted = try await Self.content(expected)
    #expect(found == wanted, "\(name), \(comment)", sourceLocation: location)
  }

  /// Expects the same rows.
  package func expectSame(
    _ predicate: Predicate, isPushed: Bool = true, at location: SourceLocation = #_sourceLocation
  ) async throws {
    try await expectSame(
      ContentRequest(where: predicate), isPushed: isPushed, "\(predicate)", at: location)
  }

  /// Expects the same order in both directions, in a window of the rows.
  package func expectSameOrder(
    _ key: String, _ comparison: SortDescriptor.Comparison = .compare,
    nulls: SortDescriptor.Nulls? = nil, isPushed: Bool = true,
    at location: SourceLocation = #_sourceLocation
  ) async throws {
    for direction in SortDescriptor.Direction.allCases {
      let descriptor = SortDescriptor(
        try ObjectKeyPath(parsing: key), direction: direction, comparison: comparison,
        nulls: nulls)
      try await expectSame(
        ContentRequest(sort: [descriptor], offset: 3, limit: 9_000, sections: .whole),
        isPushed: isPushed, "\(descriptor)", at: location)
    }
  }

  /// Expects the same sections, in the order of the rows and of a sort.
  package func expectSameSections(
    _ key: String, _ mode: SectionMode = .groups, isPushed: Bool = true,
    at location: SourceLocation = #_sourceLocation
  ) async throws {
    let path = try ObjectKeyPath(parsing: key)
    for sort in [[], [SortDescriptor(ObjectKeyPath(key: "age"), direction: .descending)]] {
      try await expectSame(
        ContentRequest(sort: sort, sections: .split(by: path, mode, SectionSettings())),
        isPushed: isPushed, "\(key) \(mode.name) \(sort)", at: location)
    }
  }

  /// Expects the same nulls, distinct, least and greatest values.
  package func expectSameSummary(
    _ key: String, at location: SourceLocation = #_sourceLocation
  ) async throws {
    let path = try ObjectKeyPath(parsing: key)
    let first = try await table.summary(of: path, RequestContext())
    let second = try local.summary(of: path, RequestContext())
    #expect(first.nulls == second.nulls, "\(key), \(comment)", sourceLocation: location)
    #expect(first.distinct == second.distinct, "\(key), \(comment)", sourceLocation: location)
    #expect(first.least == second.least, "\(key), \(comment)", sourceLocation: location)
    #expect(first.greatest == second.greatest, "\(key), \(comment)", sourceLocation: location)
  }

  /// Expects the same index paths in the runs of a key, in descending order: rows that the sort finds
  /// equal keep the order of the table.
  package func expectSameIndexPaths(
    _ key: String, isPushed: Bool = true,
    at location: SourceLocation = #_sourceLocation
  ) async throws {
    let path = ObjectKeyPath(key: key)
    let request = ContentRequest(
      sort: [SortDescriptor(path, direction: .descending)],
      sections: .split(by: path, .runs, SectionSettings()))
    let answer = try await table.answer(request, RequestContext())
    #expect((answer.rest == nil) == isPushed, "\(key): \(answer.reasons)", sourceLocation: location)
    guard answer.rest == nil else { return }
    let expected = try local.answer(request, RequestContext()).store
    for identity in stride(from: 0, to: local.table.count, by: max(1, local.table.count / 20)) {
      let values = Record([("id", .integer(identity))])
      let first = try await answer.store.indexPath(matching: values, cancellation: Cancellation())
      let second = try await expected.indexPath(matching: values, cancellation: Cancellation())
      #expect(first == second, "\(key) \(values), \(comment)", sourceLocation: location)
    }
  }

  /// The objects of so many sections are read section by section, those of more together.
  private static let fewSections = 30

  /// The titles and counts of sections, and the identities of their objects.
  private static func content(_ store: any SnapshotStore) async throws -> [String] {
    var lines: [String] = []
    let titles = try await store.titles(of: 0..<store.numberOfSections)
    for section in 0..<store.numberOfSections {
      lines.append("\(titles[section].json): \(store.numberOfObjects(in: section))")
    }
    var objects: [Value] = []
    let ranges = (0..<store.numberOfSections).map {
      SectionRows(section: $0, rows: 0..<store.numberOfObjects(in: $0))
    }
    if ranges.count <= fewSections {
      for range in ranges {
        objects += try await store.objects(in: range.section, rows: range.rows)
      }
    } else {
      objects = try await store.objects(in: ranges)
    }
    for object in objects {
      if case .record(let record) = object { lines.append(record["id"]?.json ?? "") }
    }
    return lines
  }
}

/// The condition that compares a key with a constant.
package func compare(
  _ key: String, _ kind: ComparisonOperator.Kind, _ value: Value,
  _ options: ComparisonOperator.Options = []
) throws -> Predicate {
  .comparison(
    try Predicate.Comparison(
      .key(try ObjectKeyPath(parsing: key)), ComparisonOperator(kind, options: options),
      .value(value)))
}
