import DataTables
import Synchronization

@testable import DataSources

/// A kind of source, with a change of its content that can be reverted.
struct FaultBase: Sendable, CustomStringConvertible {
  struct Source {
    let source: any DataSource
    let change: () async throws -> Void
    let revert: () async throws -> Void
  }
  let description: String
  let make: @Sendable @MainActor () async throws -> Source

  private init(
    _ description: String, _ make: @escaping @Sendable @MainActor () async throws -> Source
  ) {
    self.description = description
    self.make = make
  }

  static let all: [FaultBase] =
    [
      FaultBase("simple") { edited(SimpleSource(objects, name: "items")) },
      FaultBase("load") {
        let folder = try TemporaryFolder()
        let path = try folder.write("n,k\n1,a\n2,b\n3,a\n4,b\n", to: "items.csv")
        let source = try await SimpleSource.load(path, formats: .core)
        return edited(source, keeping: folder)
      },
      FaultBase("remote") {
        served { RemoteSource($0, through: $1, formats: .core) }
      },
      FaultBase("paginated") {
        served { PaginatedSource($0, through: $1, formats: .core) }
      },
    ]
    + wrapped

  private typealias Wrap = @Sendable (any DataSource) throws -> any DataSource

  private static let wraps: [(name: String, wrap: Wrap)] = [
    ("sectioned", { SectionedSource($0, key: key("k"), mode: .groups) }),
    ("filtered", { FilteredSource($0, where: nil) }),
    ("collated", { CollatedSource($0, key: key("k")) }),
    ("organized", { OrganizedSource($0, .alphabetically, key: key("k")) }),
    ("columns", { ColumnsSource($0, [ProjectedTable.Column(key: "n", path: key("n"))]) }),
    ("limit", { LimitedSource($0, limit: 3) }),
    ("top", { TopSource($0, limit: 3, by: [SortDescriptor(key("n"))]) }),
    ("distinct", { DistinctSource($0) }),
    ("unroll", { UnrolledSource($0, by: key("k"), keepsEmpty: true) }),
    ("multi", { MultiSource([$0, SimpleSource([1])]) }),
    ("multi, preserving", { MultiSource([SimpleSource([1]), $0], preservesSections: true) }),
    ("slow", { SlowSource($0, delay: .zero) }),
    ("faulty", { FaultySource($0, faults: Faults()) }),
    ("fetchedResults", fetchedResults),
  ]

  private static let wrapped: [FaultBase] = wraps.map { name, wrap in
    FaultBase(name) {
      let owner = SimpleSource(objects, name: "items")
      let source = try wrap(owner)
      try await source.fetchData()
      return edited(owner, showing: source)
    }
  }

  private static func key(_ name: String) -> ObjectKeyPath { ObjectKeyPath(key: name) }

  /// Fetched results that are watched, so that they follow changes.
  @Sendable private static func fetchedResults(
    over source: any DataSource
  ) throws -> any DataSource {
    let request = try FetchRequest(sort: [SortDescriptor(key("n"))])
    let results = FetchedResultsSource(source, request: request)
    results.state.isWatched = true
    return results
  }

  private static let objects: [Value] = zip([1, 2, 3, 4], ["a", "b", "a", "b"]).map { n, k in
    .record(Record([("n", .integer(n)), ("k", .string(k))]))
  }

  /// A source in memory, whose first object can be removed.
  /// - Parameter resource: is kept as long as the source.
  @MainActor private static func edited(
    _ owner: SimpleSource, showing source: (any DataSource)? = nil,
    keeping resource: AnyObject? = nil
  ) -> Source {
    Source(
      source: source ?? owner,
      change: { [resource] in
        _ = resource
        try await owner.edit(.remove(IndexPath(section: 0, row: 0)))
      },
      revert: { try await owner.undoEdit() })
  }

  /// A source of a server, whose first object can be removed.
  @MainActor private static func served(
    _ make: (TransportRequest, any Transport) -> any DataSource
  ) -> Source {
    let server = ScriptedServer { _ in .json(text) }
    let source = make(TransportRequest(url: "http://example.test/items"), server)
    return Source(
      source: source,
      change: {
        server.respond { _ in .json(fewer) }
        try await source.fetchData()
      },
      revert: {
        server.respond { _ in .json(text) }
        try await source.fetchData()
      })
  }

  private static let text =
    #"[{"n": 1, "k": "a"}, {"n": 2, "k": "b"}, {"n": 3, "k": "a"}, {"n": 4, "k": "b"}]"#
  private static let fewer = #"[{"n": 2, "k": "b"}, {"n": 3, "k": "a"}, {"n": 4, "k": "b"}]"#

  /// A source above the one that misbehaves.
  struct Wrapper: Sendable, CustomStringConvertible {
    let description: String
    let wrap: @Sendable @MainActor (any DataSource) throws -> any DataSource
  }

  static let wrappers: [Wrapper] = [
    Wrapper(description: "itself") { $0 },
    Wrapper(description: "sectioned") { SectionedSource($0, key: key("n")) },
    Wrapper(description: "distinct") { DistinctSource($0) },
    Wrapper(description: "multi") { MultiSource([$0, SimpleSource([1])]) },
  ]
}
