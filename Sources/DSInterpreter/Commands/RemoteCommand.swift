import DataSources
import DataTables

/// `remote URL …`
struct RemoteCommand: Command {
  static let names = ["remote"]
  static let synopsis = "remote URL [keyPath: KEYPATH] [query: {…}] [headers: {…}] …"
  static let summary = "Makes a source of the objects at a URL, which a fetch gets."
  static let labels = RemoteSettings.labels + [.name]
  static let notes = [
    "The format is found by format:, the Content-Type of the answer, the URL's extension, the bytes."
  ]
  static let examples = [
    "let foods = remote file:data/foods.csv | fetch",
    "let orders = remote file:data/orders.csv nulls: NA placeholders: noResults, error | fetch",
    "let posts = remote https://example.test/posts keyPath: data query: {tag: new}",
  ]
  static let seeAlso = ["paginated", "fetch", "events", "wait", "load", "servers"]
  static let resultKind = ResultKind.newSource

  let url: Argument
  let settings: RemoteSettings
  let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    url = try arguments.required("a URL")
    settings = try RemoteSettings(parsing: arguments)
    name = try arguments.label("name")
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let asked = try await settings.asked(
      changing: RemoteSettings.Asked(url: try await url.url(in: &session)), in: &session)
    let source = RemoteSource(
      asked.request, through: session.transports, options: asked.options,
      placeholders: asked.placeholders, name: try await name?.string(in: &session) ?? "")
    session.loaded.append(Session.LoadedSource(source: source))
    return CommandResult(.source(source), Output(.report(session.status(of: source))))
  }
}
