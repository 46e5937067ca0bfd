import DataSources
import DataTables

/// What a kind of source is told by labels: by the verb that makes it, and afterwards by `set`.
///
/// One struct a kind, whose labels are those of its verb, and one line in ``SettingsTable``.
protocol SourceSettings: SendableMetatype {
  associatedtype Source: DataSource
  /// All but `name:` and `id:`, which every kind has.
  static var labels: [Label] { get }

  /// The word for the kind of source; its verb.
  static var kind: String { get }
  static func apply(to source: any DataSource) -> Bool

  init(parsing arguments: Arguments) throws
  /// Has the next fetch of a source obey what is given; the rest stays as it was.
  ///
  /// All is found out before any of it is set, so that a mistake leaves everything as it was.
  /// - Parameter inner: the source whose objects have the keys: what is wrapped, or will be.
  /// - Throws: ``Diagnostic`` with its place.
  func set(_ source: Source, over inner: any DataSource, in session: inout Session) async throws
}

extension SourceSettings {
  static var kind: String { Source.kind }

  static func apply(to source: any DataSource) -> Bool { source is Source }

  /// Sets what `arguments` say of a source of this kind.
  static func set(
    _ source: any DataSource, over inner: any DataSource, by arguments: Arguments,
    in session: inout Session
  ) async throws {
    guard let source = source as? Source else { return }
    try await Self(parsing: arguments).set(source, over: inner, in: &session)
  }
}

/// The kinds of sources that take labels.
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
  ]

  /// The settings of a source's kind.
  static func settings(of source: any DataSource) -> (any SourceSettings.Type)? {
    all.first { $0.apply(to: source) }
  }

  /// What can be set of a source.
  static func labels(of source: any DataSource) -> [Label] {
    (settings(of: source)?.labels ?? []) + (source is any WrappingSource ? [.source] : [])
      + [.name, .id]
  }

  /// What can be set of any source, each name once.
  static let labels: [Label] = {
    var seen: Set<String> = []
    return (all.flatMap { $0.labels } + [.source, .name, .id]).filter {
      seen.insert($0.name).inserted
    }
  }()
}

extension Label {
  static let source = Label("source", "another source to wrap", example: "foods")
  static let name = Label("name", "the name of the source", example: "Letters")
}
