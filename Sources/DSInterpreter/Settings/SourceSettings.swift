import DataSources
import DataTables

/// The labels of a kind of source, for the verb that creates it and for `set`.
///
/// One struct for each kind, and one line in ``SettingsTable``.
protocol SourceSettings: SendableMetatype {
  associatedtype Source: DataSource
  /// All but `name:` and `id:`, which every kind has.
  static var labels: [Label] { get }
  /// The word for the kind of source: its verb.
  static var kind: String { get }
  static func applies(to source: any DataSource) -> Bool
  init(parsing arguments: Arguments) throws
  /// Changes the settings that are given, from the next fetch on.
  ///
  /// All values are read before any is set: an error changes nothing.
  /// - Parameter inner: the source that is or will be wrapped, whose objects have the keys.
  /// - Throws: ``Diagnostic`` with its location.
  func set(_ source: Source, over inner: any DataSource, in session: inout Session) async throws
}

extension SourceSettings {
  static var kind: String { Source.kind }

  static func applies(to source: any DataSource) -> Bool { source is Source }

  /// Changes a source of this kind by the labels of a command.
  static func set(
    _ source: any DataSource, over inner: any DataSource, by arguments: Arguments,
    in session: inout Session
  ) async throws {
    guard let source = source as? Source else { return }
    try await Self(parsing: arguments).set(source, over: inner, in: &session)
  }
}

/// The settings of all kinds of sources.
enum SettingsTable {
  static let all: [any SourceSettings.Type] = [
    LoadSettings.self,
    SimpleSettings.self,
    RemoteSettings.self,
    PaginatedSettings.self,
    SectionedSettings.self,
    OrganizedSettings.self,
    CollatedSettings.self,
    MultiSettings.self,
    FilteredSettings.self,
    FetchedResultsSettings.self,
    UnrollSettings.self,
    ColumnsSettings.self,
    TopSettings.self,
    DistinctSettings.self,
    LimitSettings.self,
    SlowSettings.self,
    FaultySettings.self,
    StaleSettings.self,
  ]

  /// The settings of a source's kind.
  static func settings(of source: any DataSource) -> (any SourceSettings.Type)? {
    all.first { $0.applies(to: source) }
  }

  /// The labels that change a source.
  static func labels(of source: any DataSource) -> [Label] {
    (settings(of: source)?.labels ?? []) + (source is any WrappingSource ? [.source] : [])
      + [.name, .id]
  }

  /// The labels that change a source of any kind, each name once.
  static let labels: [Label] = {
    var seen: Set<String> = []
    return (all.flatMap { $0.labels } + [.source, .name, .id]).filter {
      seen.insert($0.name).inserted
    }
  }()
}

/// The labels of `simple`.
struct SimpleSettings: SourceSettings {
  static let labels = [PredicateArgument.label]

  private let predicate: PredicateArgument?

  init(parsing arguments: Arguments) throws {
    predicate = PredicateArgument(parsing: arguments)
  }

  func set(
    _ source: SimpleSource, over inner: any DataSource, in session: inout Session
  ) async throws {
    source.predicate = try await predicate.changing(source.predicate, over: inner, in: &session)
  }
}

/// The labels of `load`, and `where:`, which only `set` accepts for a loaded source.
struct LoadSettings: SourceSettings {
  static let kind = "load"
  static let labels = ReadSettings.all.map(\.label) + SimpleSettings.labels

  private let options: GivenSettings<ReadOptions>
  private let predicate: PredicateArgument?

  init(parsing arguments: Arguments) throws {
    options = try GivenSettings(ReadSettings.all, parsing: arguments)
    predicate = PredicateArgument(parsing: arguments)
  }

  static func applies(to source: any DataSource) -> Bool {
    (source as? SimpleSource)?.options != nil
  }

  func set(
    _ source: SimpleSource, over inner: any DataSource, in session: inout Session
  ) async throws {
    guard let old = source.options else { return }
    var new = old
    try await options.apply(to: &new, in: &session)
    let predicate = try await predicate.changing(source.predicate, over: inner, in: &session)
    if new != old { try source.read(with: new) }
    source.predicate = predicate
  }
}

/// The labels of `multi`.
struct MultiSettings: SourceSettings {
  private static let preserve = Label(
    "preserve", .boolean, "true to keep the sections and titles of the sources", example: "true")
  static let labels = [preserve]

  private let preserve: Argument?

  init(parsing arguments: Arguments) throws { preserve = try arguments[Self.preserve] }

  func set(
    _ source: MultiSource, over inner: any DataSource, in session: inout Session
  ) async throws {
    guard let preserve else { return }
    source.preservesSections = try !preserve.isNull && preserve.boolean()
  }
}
