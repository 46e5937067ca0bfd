import DataSources
import DataTables

/// `organized SOURCE|[…] alphabetically|chronologically sort: …`
struct OrganizedCommand: Command {
  static let names = ["organized"]
  static let synopsis = "organized SOURCE|[…] alphabetically|chronologically [key: KEYPATH] …"
  static let summary = "Puts objects under the values of a key, or under months, as table views do."
  static let labels = [
    Label("key", "key path; the first of sort: if not given", example: "when", completion: .keys),
    Label(
      "sort", "the order of rows; titles always ascend", example: "customer desc",
      completion: .keys),
    Label("initial", "orders rows that sort: leaves equal", example: "id", completion: .keys),
    Label(
      "nulls", "first or last, for all of sort:", example: "last",
      completion: .words(SortDescriptor.Nulls.allCases.map(\.rawValue))),
    Label("zone", "of months", example: "+01:00"),
    Label("locale", "of localized sorts", example: "sv"),
    IndexTitlesArgument.label,
    Label("name", "the name of the source", example: "Invoices"),
  ]
  static let examples = [
    "let kinds = organized foods alphabetically sort: kind initial: name | fetch",
    "organized [{d: 2013-01-05}, {d: 2012-11-20}] chronologically sort: d desc | fetch | titles",
  ]
  static let seeAlso = ["sectioned", "references", "sort"]
  static let gives = Gift.newSource

  private let source: SourceArgument?
  private let list: Argument?
  private let style: Argument
  private let key: Argument?
  private let sort: SortArgument?
  private let initial: SortArgument?
  private let zone: Argument?
  private let locale: Argument?
  private let indexTitles: IndexTitlesArgument?
  private let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    list = arguments.next?.elements == nil ? nil : arguments.take()
    source = list == nil ? try SourceArgument(parsing: &arguments) : nil
    style = try arguments.required("`alphabetically` or `chronologically`")
    key = try arguments.label("key")
    sort = try SortArgument(parsing: arguments)
    initial = try SortArgument(parsing: arguments, label: "initial")
    zone = try arguments.label("zone")
    locale = try arguments.label("locale")
    indexTitles = try IndexTitlesArgument(parsing: arguments)
    name = try arguments.label("name")
    if key == nil, sort == nil { throw arguments.missing("`sort:` or `key:`") }
  }

  func run(in session: inout Session) async throws -> Answer {
    let inner = try await inner(in: &session)
    let style = try style.choice(
      of: OrganizedSource.Style.allCases.map(\.rawValue), for: "way to organize")
    let key = try await key?.keyPath(in: &session)
    if let key { try session.check(key, of: inner) }
    let locale = try await locale?.localeName(in: &session)
    let sort = try await descriptors(sort, of: inner, locale: locale, in: &session)
    let initial = try await descriptors(initial, of: inner, locale: locale, in: &session)
    let source = OrganizedSource(
      inner, OrganizedSource.Style(rawValue: style) ?? .alphabetically, key: key?.path,
      sort: sort, initial: initial, zone: try await zone(in: &session),
      indexTitles: try await indexTitles?.indexTitles(in: &session) ?? .firstCharacter,
      name: try await name?.string(in: &session) ?? "")
    guard let source else {
      throw self.style.error(.badArgument, "organized wants `sort:` or `key:`")
    }
    return Answer(.source(source), Output(.report(session.status(of: source))))
  }

  private func inner(in session: inout Session) async throws -> any DataSource {
    if let source { return try await source.source(in: &session) }
    guard let list, case .array(let objects) = try await list.value(in: &session) else {
      throw style.error(.badArgument, "organized wants a source or a list before this")
    }
    return SimpleSource(objects)
  }

  private func descriptors(
    _ argument: SortArgument?, of inner: any DataSource, locale: String?,
    in session: inout Session
  ) async throws -> [SortDescriptor] {
    guard let (descriptors, keys) = try await argument?.descriptors(in: &session) else { return [] }
    for key in keys { try session.check(key, of: inner) }
    return descriptors.map { descriptor in
      var descriptor = descriptor
      if descriptor.comparison.isLocalized { descriptor.locale = locale }
      return descriptor
    }
  }

  private func zone(in session: inout Session) async throws -> Zone {
    guard let zone else { return .gmt }
    let text = try await zone.string(in: &session)
    return try zone.checking { try Zone(parsing: text) }
  }
}
