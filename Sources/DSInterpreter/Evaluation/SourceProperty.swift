import DataSources
import DataTables

/// A property of a source, as `letters.numberOfSections` reads it.
struct SourceProperty: Sendable {
  let name: String
  let read: @Sendable (any DataSource, Session) async throws -> Value

  init(
    _ name: String, _ read: @escaping @Sendable (any DataSource, Session) async throws -> Value
  ) {
    self.name = name
    self.read = read
  }

  static let all: [SourceProperty] = [
    SourceProperty("name") { source, _ in .string(source.state.name) },
    SourceProperty("kind") { source, _ in .string(type(of: source).kind) },
    SourceProperty("numberOfSections") { source, _ in
      .integer(source.state.snapshot?.store.numberOfSections ?? 0)
    },
    SourceProperty("numberOfObjects") { source, _ in
      .integer(source.state.snapshot?.store.numberOfObjects ?? 0)
    },
    SourceProperty("sectionTitles") { source, _ in .array(try await titles(source)) },
    SourceProperty("sectionIndexTitles") { source, _ in
      .array(try await titles(source).map(\.indexTitle))
    },
    SourceProperty("sections") { source, _ in .array(try await sections(source)) },
    SourceProperty("allObjects") { source, session in
      guard let snapshot = source.state.snapshot else { return .array([]) }
      var objects: [Value] = []
      for section in 0..<snapshot.store.numberOfSections {
        let rows = 0..<snapshot.store.numberOfObjects(in: section)
        objects += try await snapshot.store.objects(in: section, rows: rows)
        try session.cancellation.check()
      }
      return .array(objects)
    },
    SourceProperty("isFetching") { source, _ in .bool(source.state.isFetching) },
    SourceProperty("error") { source, _ in
      guard let error = source.state.error else { return .null }
      let facts = Diagnostic(facts: error)
      return .record(
        Record([("error", .string(facts.message)), ("kind", .string(facts.kind.rawValue))]))
    },
    SourceProperty("events") { source, _ in
      .array(source.state.transcript.filter { $0.depth == 0 }.map { .string($0.event.name) })
    },
  ]

  private static func titles(_ source: any DataSource) async throws -> [Value] {
    guard let store = source.state.snapshot?.store else { return [] }
    return try await store.titles(of: 0..<store.numberOfSections)
  }

  private static func sections(_ source: any DataSource) async throws -> [Value] {
    guard let store = source.state.snapshot?.store else { return [] }
    return try await titles(source).enumerated().map { section, title in
      .record(
        Record([
          ("section", .integer(section)), ("title", title), ("indexTitle", title.indexTitle),
          ("count", .integer(store.numberOfObjects(in: section))),
        ]))
    }
  }
}

extension SourceEvent {
  var name: String {
    switch self {
    case .will: "will"
    case .partial: "partial"
    case .finished: "finished"
    case .failed: "failed"
    }
  }
}

extension Value {
  /// The uppercase first character of a title.
  var indexTitle: Value {
    switch self {
    case .string(let text): .string(text.first?.uppercased() ?? "")
    case .null: ""
    default: .string(json.first.map { String($0).uppercased() } ?? "")
    }
  }
}
