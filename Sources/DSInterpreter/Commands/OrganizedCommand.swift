import DataSources
import DataTables

/// `organized SOURCE|[…] alphabetically|chronologically sort: …`
struct OrganizedCommand: Command {
  static let names = ["organized"]
  static let synopsis = "organized SOURCE|[…] alphabetically|chronologically [key: KEYPATH] …"
  static let summary = "Puts objects under the values of a key, or under months, as table views do."
  static let labels = OrganizedSettings.labels + [.name]
  static let examples = [
    "let kinds = organized foods alphabetically sort: kind initial: name | fetch",
    "organized [{d: 2013-01-05}, {d: 2012-11-20}] chronologically sort: d desc | fetch | titles",
  ]
  static let seeAlso = ["sectioned", "references", "sort"]
  static let resultKind = ResultKind.newSource

  private let source: SourceArgument?
  private let list: Argument?
  private let style: Argument
  private let settings: OrganizedSettings
  private let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    list = arguments.next?.elements == nil ? nil : arguments.take()
    source = list == nil ? try SourceArgument(parsing: &arguments) : nil
    style = try arguments.required("`alphabetically` or `chronologically`")
    settings = try OrganizedSettings(parsing: arguments)
    name = try arguments.label("name")
    guard settings.hasKey else { throw arguments.missing("`sort:` or `key:`") }
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let inner = try await inner(in: &session)
    let word = try style.choice(
      of: OrganizedSource.Style.allCases.map(\.rawValue), for: "way to organize")
    // The settings bring the key.
    let source = OrganizedSource(
      inner, OrganizedSource.Style(rawValue: word) ?? .alphabetically,
      name: try await name?.string(in: &session) ?? "")
    try await settings.set(source, over: inner, in: &session)
    return CommandResult(.source(source), Output(.report(session.status(of: source))))
  }

  private func inner(in session: inout Session) async throws -> any DataSource {
    if let source { return try await source.source(in: &session) }
    guard let list, case .array(let objects) = try await list.value(in: &session) else {
      throw style.error(.badArgument, "organized wants a source or a list before this")
    }
    return SimpleSource(objects)
  }
}
