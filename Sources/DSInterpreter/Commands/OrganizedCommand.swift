import DataSources
import DataTables

/// `organized SOURCE|[…] alphabetically|chronologically sort: …`
struct OrganizedCommand: Command {
  private static let input = Parameter("SOURCE|[…]", .either([.source, .objects]))
  private static let style = Parameter(.choice(Choices("style", OrganizedSource.Style.self)))

  static let names = ["organized"]
  static let parameters = [input, style]
  static let labels = OrganizedSettings.labels + [.name]
  static let synopsis = "organized SOURCE|[…] alphabetically|chronologically [key: KEYPATH] …"
  static let summary = "Splits objects into sections by the values of a key, or by month."
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
    list = arguments.peek(.objects)?.elements == nil ? nil : try arguments.take(Self.input)
    source = list == nil ? try SourceArgument(parsing: &arguments, Self.input) : nil
    style = try arguments.require(Self.style)
    settings = try OrganizedSettings(parsing: arguments)
    name = try arguments[.name]
    guard settings.hasKey else { throw arguments.missing("`sort:` or `key:`") }
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let inner = try await inner(in: &session)
    // The key is set with the other settings below.
    let source = OrganizedSource(
      inner, try style.choice(), name: try await name?.string(in: &session) ?? "")
    try await settings.set(source, over: inner, in: &session)
    return CommandResult(.source(source), Output(.report(session.status(of: source))))
  }

  private func inner(in session: inout Session) async throws -> any DataSource {
    if let source { return try await source.source(in: &session) }
    guard let list, case .array(let objects) = try await list.value(in: &session) else {
      throw style.error(.badArgument, "organized needs a source or a list before this")
    }
    return SimpleSource(objects)
  }
}
