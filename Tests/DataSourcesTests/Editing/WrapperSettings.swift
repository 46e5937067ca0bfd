import DataSources
import DataTables
import TestSupport

/// Random settings of a wrapper of a random history.
struct WrapperSettings {
  enum Kind: CaseIterable {
    case multi, sectioned, filtered, fetchedResults, columns, limit, top, distinct, unroll
    case alphabetical, chronological, collated, slow, faulty, stale
  }
  let kind: Kind
  private let key: ObjectKeyPath?
  private let sort: [SortDescriptor]
  private let predicate: Predicate?
  private let mode: SectionMode
  private let sections: SectionSettings
  private let indexTitles: IndexTitles
  private let limit: Int
  private let offset: Int
  private let keys: [String]
  /// Whether to preserve sections, to show empty ones, or to keep objects without elements.
  private let keepsAll: Bool
  private let cacheName: String?
  private let faults: Faults

  init(_ kind: Kind, _ random: inout SplitMix64) throws {
    self.kind = kind
    mode = random.one(of: SectionMode.all)
    key = Self.key(of: kind, mode, &random)
    var sort = Self.sort(&random)
    // Otherwise most sorts would not keep the rows of a section together.
    if let key, kind == .fetchedResults || mode.name == "strict", random.below(5) > 0 {
      sort.insert(SortDescriptor(key), at: 0)
    }
    if kind == .fetchedResults, sort.isEmpty { sort = [SortDescriptor(ObjectKeyPath(key: "id"))] }
    self.sort = sort
    predicate = try Self.predicate(&random)
    sections = Self.sections(&random)
    indexTitles = random.one(of: [
      .firstCharacter, .initials, .keyPath(ObjectKeyPath(key: "k")), .list(["x", "y", "y"]),
    ])
    limit = random.below(6)
    offset = random.below(3)
    keys = random.one(of: [["id", "k"], ["k"], ["id", "n", "v", "d"], ["n", "id"]])
    keepsAll = random.below(2) == 0
    cacheName = random.below(3) == 0 ? random.one(of: ["one", "two"]) : nil
    faults = Faults(
      failing: [FailingAttempt(.fetch, 1 + random.below(3)), FailingAttempt(.page, 2)],
      rate: random.below(2) == 0 ? FailureRate(0.2, seed: random.next()) : nil)
  }

  private static func key(
    of kind: Kind, _ mode: SectionMode, _ random: inout SplitMix64
  ) -> ObjectKeyPath? {
    if random.below(30) == 0 { return ObjectKeyPath(key: "missing") }
    switch (kind, mode.name) {
    case (.collated, _), (.sectioned, "collated"): return ObjectKeyPath(key: "n")
    case (.chronological, _), (.sectioned, "month"), (.sectioned, "day"), (.sectioned, "year"),
      (.sectioned, "week"):
      return ObjectKeyPath(key: "d")
    case (.unroll, _): return ObjectKeyPath(key: random.one(of: ["tags", "k"]))
    default:
      if random.below(6) == 0 { return nil }
      let key = ObjectKeyPath(key: random.one(of: ["k", "n", "v"]))
      return random.below(5) == 0
        ? ObjectKeyPath([.key("n"), .key("firstCharacter")]) : key
    }
  }

  private static func sort(_ random: inout SplitMix64) -> [SortDescriptor] {
    (0..<random.below(3)).map { _ in
      SortDescriptor(
        ObjectKeyPath(key: random.one(of: ["k", "n", "v", "d"])),
        direction: random.one(of: [.ascending, .descending]),
        comparison: random.one(of: [.compare, .compare, .localizedStandard]))
    }
  }

  static func predicate(_ random: inout SplitMix64) throws -> Predicate? {
    guard random.below(4) > 0 else { return nil }
    let (key, `operator`, value): (String, ComparisonOperator.Kind, Value) = random.one(of: [
      ("v", .less, 3), ("k", .equal, 1), ("k", .notEqual, 0), ("n", .beginsWith, "b"),
      ("id", .greater, 4),
    ])
    return .comparison(
      try Predicate.Comparison(
        .key(ObjectKeyPath(key: key)), ComparisonOperator(`operator`), .value(value)))
  }

  private static func sections(_ random: inout SplitMix64) -> SectionSettings {
    var sections = SectionSettings()
    sections.order = random.one(of: [
      nil, GroupOrder(.title), GroupOrder(.count, direction: .descending),
      GroupOrder(titles: [2, "bee"]),
    ])
    sections.titles = random.one(of: [[0, 2], ["ant", "bee", "cat"], [1]])
    sections.showsEmpty = random.below(2) == 0
    return sections
  }

  // MARK: Sources

  private var style: OrganizedSource.Style {
    kind == .chronological ? .chronologically : .alphabetically
  }

  private var columns: [ProjectedTable.Column] {
    keys.map { ProjectedTable.Column(key: $0, path: ObjectKeyPath(key: $0)) }
  }

  private func request(cacheName: String?) throws -> FetchRequest {
    var request = try FetchRequest(
      where: predicate, sort: sort, section: key, limit: limit > 3 ? nil : limit + 2,
      cacheName: cacheName)
    request.offset = offset / 2
    request.indexTitles = indexTitles
    return request
  }

  /// A source with these settings over others; all kinds but ``Kind/multi`` wrap the first one.
  ///
  /// - Parameter usesCache: whether fetched results are kept under a name.
  func make(over children: [any DataSource], usesCache: Bool = true) throws -> any DataSource {
    let source: any DataSource
    switch kind {
    case .multi: return MultiSource(children, preservesSections: keepsAll)
    case .sectioned: source = SectionedSource(children[0])
    case .filtered: source = FilteredSource(children[0], where: nil)
    case .fetchedResults:
      source = FetchedResultsSource(children[0], request: try request(cacheName: nil))
    case .columns: source = ColumnsSource(children[0], columns)
    case .limit: source = LimitedSource(children[0], limit: limit)
    case .top: source = TopSource(children[0], limit: limit, by: [])
    case .distinct: source = DistinctSource(children[0])
    case .unroll: source = UnrolledSource(children[0], by: ObjectKeyPath(key: "tags"))
    case .alphabetical, .chronological: source = OrganizedSource(children[0], style)
    case .collated: source = CollatedSource(children[0], key: ObjectKeyPath(key: "n"))
    case .slow: source = SlowSource(children[0], delay: .microseconds(1))
    case .faulty: source = FaultySource(children[0], faults: faults)
    case .stale: source = StaleSource(children[0])
    }
    try set(source, usesCache: usesCache)
    return source
  }

  /// Changes the settings of a source of this kind.
  func set(_ source: any DataSource, usesCache: Bool = true) throws {
    switch source {
    case let source as MultiSource: source.preservesSections = keepsAll
    case let source as SectionedSource:
      (source.key, source.sort, source.predicate) = (key, sort, predicate)
      (source.mode, source.settings, source.indexTitles) = (mode, sections, indexTitles)
    case let source as FilteredSource:
      (source.predicate, source.showsEmpty) = (predicate, keepsAll)
    case let source as FetchedResultsSource:
      source.request = try request(cacheName: usesCache ? cacheName : nil)
    case let source as ColumnsSource: source.columns = columns
    case let source as LimitedSource: (source.limit, source.offset) = (limit, offset)
    case let source as TopSource: (source.limit, source.sort) = (limit, sort)
    case let source as DistinctSource: source.keys = keepsAll ? [] : key.map { [$0] } ?? []
    case let source as UnrolledSource:
      (source.path, source.keepsEmpty) = (key ?? ObjectKeyPath(key: "tags"), keepsAll)
    case let source as OrganizedSource:
      (source.key, source.sort, source.indexTitles) = (key, sort, indexTitles)
    case let source as FaultySource: source.faults = faults
    case let source as StaleSource: source.isStale = keepsAll
    case let source as CollatedSource:
      source.key = key ?? ObjectKeyPath(key: "n")
      (source.sort, source.settings, source.indexTitles) = (sort, sections, indexTitles)
    default: break
    }
  }
}
