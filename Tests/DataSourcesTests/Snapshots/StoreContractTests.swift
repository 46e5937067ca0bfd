import DataSources
import DataTables
import StoreContract
import Testing

/// The contract of stores, for stores that are not tables of databases.
@Suite struct StoreContractTests {
  /// How the rows of a content are stored.
  enum Storage: Sendable, CustomStringConvertible {
    case local
    case synthetic(SyntheticEngine.Ability)
    /// Two sources one after another, the second one with another ability.
    case concatenated(SyntheticEngine.Ability, SyntheticEngine.Ability?)
    case projected(SyntheticEngine.Ability)

    static let all: [Storage] =
      [.local] + SyntheticEngine.Ability.allCases.map { .synthetic($0) }
      + [
        .concatenated(.everything, .nothing), .concatenated(.predicates, nil),
        .projected(.everything), .projected(.nothing),
      ]

    var description: String {
      switch self {
      case .local: "local"
      case .synthetic(let ability): "synthetic, \(ability)"
      case .concatenated(let first, let second):
        "concatenated, \(first) and \(second?.rawValue ?? "local")"
      case .projected(let ability): "projected, \(ability)"
      }
    }

    var contract: StoreContract {
      switch self {
      case .local: StoreContract { StoreSource(LocalStore(table: $0.table)) }
      case .synthetic(let ability): StoreContract { Self.source($0, ability) }
      case .concatenated(let first, let second):
        StoreContract {
          try await Self.joined(Self.source($0), Self.source(SyntheticRows(23, version: 1)))
        } subject: {
          try await Self.joined(
            Self.source($0, first), Self.source(SyntheticRows(23, version: 1), second))
        }
      case .projected(let ability):
        StoreContract {
          try await Self.projection(Self.source($0))
        } subject: {
          try await Self.projection(Self.source($0, ability))
        }
      }
    }

    private static func source(
      _ rows: SyntheticRows, _ ability: SyntheticEngine.Ability? = nil
    ) -> any DataSource {
      guard let ability else { return StoreSource(LocalStore(table: rows.table)) }
      return StoreSource(SyntheticStore(SyntheticEngine(rows, ability)))
    }

    private static func joined(
      _ first: any DataSource, _ second: any DataSource
    ) async throws -> any DataSource {
      let source = MultiSource([first, second])
      try await source.fetchData()
      return source
    }

    private static func projection(_ source: any DataSource) async throws -> any DataSource {
      let columns = SyntheticRows.keys.reversed().map {
        ProjectedTable.Column(key: $0, path: ObjectKeyPath(key: $0))
      }
      let source = ColumnsSource(source, columns)
      try await source.fetchData()
      return source
    }
  }

  @Test(arguments: Storage.all, [0, 1, 70])
  func readsAreThoseInMemory(storage: Storage, count: Int) async throws {
    let violations = try await storage.contract.violations(SyntheticRows(count))
    #expect(violations == [])
  }

  @Test(arguments: Storage.all, Wrapping.all)
  func wrappersShowTheSame(storage: Storage, wrapping: Wrapping) async throws {
    for count in [0, 70] {
      let violations = try await storage.contract.violations(
        SyntheticRows(count), of: [wrapping])
      #expect(violations == [], "\(count) rows")
    }
  }

  @Test(arguments: Wrapping.all, [SyntheticEngine.Ability.everything, .predicates, .nothing])
  func wrappersOfWrappersShowTheSame(
    inner: Wrapping, ability: SyntheticEngine.Ability
  ) async throws {
    let contract = Storage.synthetic(ability).contract
    for outer in inner.others() {
      let violations = try await contract.violations(SyntheticRows(40), of: [inner, outer])
      #expect(violations == [], "\(outer) over \(inner)")
    }
  }

  @Test(arguments: Storage.all) func changesAreThoseInMemory(storage: Storage) async throws {
    for wrapping in [nil] + Wrapping.all.map(Optional.some) {
      let violations = try await storage.contract.violationsOfChanges(
        from: SyntheticRows(90), to: SyntheticRows(83, version: 2), of: wrapping)
      #expect(violations == [], "\(wrapping?.description ?? "the source")")
    }
  }

  @Test(arguments: Wrapping.all.filter(\.isRequest))
  func aStoreThatAnswersIsNotRead(wrapping: Wrapping) async throws {
    let engine = SyntheticEngine(SyntheticRows(5_000), .everything)
    let source = try wrapping.wrap(StoreSource(SyntheticStore(engine)))
    guard (try? await source.fetchData()) != nil else { return }
    #expect(try source.content.shortfall == nil)
    #expect(engine.counts.rows == 0)
    if let path = try source.content.store.indexPath(ofPosition: 20) {
      _ = try await source.object(at: path)
      #expect(engine.counts.rows == 1)
    }
  }

  @Test(arguments: Wrapping.all.filter(\.isRequest))
  func aCopyIsReported(wrapping: Wrapping) async throws {
    let engine = SyntheticEngine(SyntheticRows(500), .nothing)
    let source = try wrapping.wrap(StoreSource(SyntheticStore(engine)))
    guard (try? await source.fetchData()) != nil else { return }
    let shortfall = try #require(try source.content.shortfall)
    #expect(shortfall.objects == 500)
    #expect(shortfall.reasons == ["the engine computes nothing"])
    #expect(engine.counts.rows == 500)
  }

  @Test func onlyTheRowsOfAPredicateAreCopied() async throws {
    let engine = SyntheticEngine(SyntheticRows(2_000), .predicates)
    let predicate = Predicate.comparison(
      try Predicate.Comparison(
        .key(ObjectKeyPath(key: "age")), ComparisonOperator(.greater), .value(50)))
    let source = SectionedSource(
      StoreSource(SyntheticStore(engine)), key: ObjectKeyPath(key: "city"), where: predicate)
    try await source.fetchData()
    let content = try source.content
    #expect(content.numberOfObjects > 0 && content.numberOfObjects < 500)
    #expect(content.shortfall?.objects == content.numberOfObjects)
    #expect(engine.counts.rows == content.numberOfObjects)
  }

  @Test func aCopyOfTooManyObjectsIsRefused() async throws {
    let engine = SyntheticEngine(SyntheticRows(2_000), .nothing)
    let source = SectionedSource(
      StoreSource(SyntheticStore(engine)), key: ObjectKeyPath(key: "city"))
    var options = FetchOptions()
    options.copyLimit = 1_999
    await #expect(throws: SourceError.self) { try await source.fetchData(options) }
    #expect(engine.counts.rows == 0)
  }

  @Test func reductionsHoldFewObjects() async throws {
    let engine = SyntheticEngine(SyntheticRows(10_000), .nothing)
    let content = Snapshot(SyntheticStore(engine))
    let key = try ObjectKeyPath(parsing: "price")
    _ = try await content.summary(of: key)
    _ = try await content.sectionValues(of: try ObjectKeyPath(parsing: "@sum.price"))
    _ = try await content.store.report(on: "price", RequestContext())
    _ = try await content.store.types(of: key, RequestContext())
    _ = try await content.indexPath(of: "nothing")
    #expect(engine.counts.rows == 50_000)
    #expect(engine.counts.largestRead <= 1_024)
    #expect(engine.counts.held <= 2_048)
  }

  @Test func valuesThatMustBeKeptAreLimited() async throws {
    let content = Snapshot(SyntheticStore(SyntheticEngine(SyntheticRows(9_000), .nothing)))
    var context = RequestContext()
    context.copyLimit = 5_000
    let id = ObjectKeyPath(key: "id")
    await #expect(throws: SourceError.self) { try await content.summary(of: id, context) }
    let median = try ObjectKeyPath(parsing: "@median.id")
    await #expect(throws: SourceError.self) {
      try await content.sectionValues(of: median, context)
    }
    #expect(try await content.summary(of: ObjectKeyPath(key: "age"), context).distinct == 60)
    context.cancellation.cancel()
    await #expect(throws: SourceError.self) {
      try await content.summary(of: ObjectKeyPath(key: "age"), context)
    }
  }
}
