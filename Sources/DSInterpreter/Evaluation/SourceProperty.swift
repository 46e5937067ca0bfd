import DataSources
import DataTables

/// A property of a source that expressions can read, such as `letters.numberOfSections`.
struct SourceProperty: Sendable {
  let name: String
  /// Whether the value is an array of the source's objects, so that keys of objects can follow.
  let returnsObjects: Bool
  let read: @Sendable (any DataSource, Session) async throws -> Value

  init(
    _ name: String, returnsObjects: Bool = false,
    _ read: @escaping @Sendable (any DataSource, Session) async throws -> Value
  ) {
    self.name = name
    self.returnsObjects = returnsObjects
    self.read = read
  }

  static let all: [SourceProperty] = [
    SourceProperty("name") { source, _ in .string(source.state.name) },
    SourceProperty("kind") { source, _ in .string(type(of: source).kind) },
    SourceProperty("numberOfSections") { source, _ in
      .integer(source.numberOfSections)
    },
    SourceProperty("numberOfObjects") { source, _ in
      .integer(source.numberOfObjects)
    },
    SourceProperty("sectionTitles") { source, session in
      session.contentReads?.add(.sections, of: source)
      return .array(try await source.sectionTitles())
    },
    SourceProperty("sectionIndexTitles") { source, _ in
      .array(try await source.sectionIndexTitles().map(Value.string))
    },
    SourceProperty("sections") { source, session in
      session.contentReads?.add(.sections, of: source)
      return .array(try await sections(source))
    },
    SourceProperty("allObjects", returnsObjects: true) { source, session in
      guard let snapshot = source.state.snapshot else { return .array([]) }
      return try await session.objects(
        of: ObjectListing(
          snapshot: snapshot, sections: 0..<snapshot.numberOfSections, showsIndexPaths: false))
    },
    SourceProperty("references") { source, session in
      .array(
        try await (source as? any ReferencingSource)?
          .references(cancellation: session.cancellation).map(Value.array) ?? [])
    },
    SourceProperty("isOutdated") { source, _ in
      .bool((source as? StaleSource)?.isOutdated ?? false)
    },
    SourceProperty("isFetching") { source, _ in .bool(source.state.isFetching) },
    SourceProperty("error") { source, _ in
      guard let error = source.state.error else { return .null }
      let facts = Diagnostic(facts: error)
      return .record(
        Record([("error", .string(facts.message)), ("kind", .string(facts.kind.rawValue))]))
    },
    SourceProperty("changes") { source, session in
      .array(try await source.changes(session.requestContext).map(\.record))
    },
    SourceProperty("events") { source, _ in
      .array(source.transcript.filter { $0.depth == 0 }.map { .string($0.event.name) })
    },
    SourceProperty("hasMorePages") { source, _ in
      source.paginatedSources.first.map { .bool($0.hasMorePages) } ?? .null
    },
    SourceProperty("currentPage") { source, _ in number(source.paginatedSources.first?.currentPage)
    },
    SourceProperty("pageSize") { source, _ in number(source.paginatedSources.first?.pageSize) },
    SourceProperty("numberOfPages") { source, _ in
      number(source.paginatedSources.first?.numberOfPages)
    },
    SourceProperty("numberOfTotalObjects") { source, _ in
      number(source.paginatedSources.first?.numberOfTotalObjects)
    },
  ]

  private static func number(_ number: Int?) -> Value { number.map(Value.integer) ?? .null }

  /// One record per section, as `sections` returns them.
  static func sections(_ source: any DataSource) async throws -> [Value] {
    guard let snapshot = source.state.snapshot else { return [] }
    let titles = try await snapshot.titles()
    let indexTitles = try await snapshot.sectionIndex().titlesOfSections
    let shape = Record.Shape(["section", "title", "indexTitle", "count"])
    return zip(titles, indexTitles).enumerated().map { section, title in
      .record(
        Record(
          shape: shape,
          values: [
            .integer(section), title.0, .string(title.1),
            .integer(snapshot.store.numberOfObjects(in: section)),
          ]))
    }
  }
}
