import DataSources

/// `remote URL …`
struct RemoteCommand: Command {
  private static let url = Parameter(.url)

  static let names = ["remote"]
  static let parameters = [url]
  static let labels = RemoteSettings.labels + [.name]
  static let synopsis = "remote URL [keyPath: KEYPATH] [query: {…}] [headers: {…}] …"
  static let summary = "Creates a source of the objects at a URL; a fetch requests them."
  static let notes = [
    "Without `format:`, the Content-Type, the URL's extension or the content determines the format.",
    "`body:` makes the request a POST, for a search: a record or a list is sent as JSON, a string as",
    "it is. `user:`, `password: env NAME` and `auth: digest` are a login, which no output shows.",
  ]
  static let examples = [
    "let foods = remote file:data/foods.csv | fetch",
    "let orders = remote file:data/orders.csv nulls: NA placeholders: noResults, error | fetch",
    "let posts = remote https://example.test/posts keyPath: data query: {tag: new}",
    "let hits = remote https://example.test/search keyPath: hits body: {query: {kind: fruit}}",
  ]
  static let seeAlso = ["paginated", "fetch", "exchanges", "events", "wait", "load", "servers"]
  static let resultKind = ResultKind.newSource

  private let url: Argument
  private let settings: RemoteSettings
  private let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    url = try arguments.require(Self.url)
    settings = try RemoteSettings(parsing: arguments)
    name = try arguments[.name]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let url = try await url.url(in: &session)
    let source = try await settings.source(at: url, name: name, in: &session)
    return CommandResult(.source(source), Output(.report(session.status(of: source))))
  }
}
