import DataSources
import DataTables

/// `remote URL …`
struct RemoteCommand: Command {
  static let names = ["remote"]
  static let synopsis = "remote URL [keyPath: KEYPATH] [query: {…}] [headers: {…}] …"
  static let summary = "Makes a source of the objects at a URL, which a fetch gets."
  static let labels = RequestArguments.labels
  static let notes = [
    "The format is found by format:, the Content-Type of the answer, the URL's extension, the bytes."
  ]
  static let examples = [
    "let foods = remote file:data/foods.csv | fetch",
    "let orders = remote file:data/orders.csv nulls: NA placeholders: noResults, error | fetch",
    "let posts = remote https://example.test/posts keyPath: data query: {tag: new}",
  ]
  static let seeAlso = ["paginated", "fetch", "events", "wait", "load", "servers"]
  static let gives = Gift.newSource

  let url: Argument
  let arguments: RequestArguments

  init(parsing arguments: inout Arguments) throws {
    url = try arguments.required("a URL")
    self.arguments = try RequestArguments(parsing: arguments)
  }

  func run(in session: inout Session) async throws -> Answer {
    let request = try await arguments.request(to: url, in: &session)
    let source = RemoteSource(
      request, through: session.transports, options: try await arguments.options(in: &session),
      placeholders: try arguments.placeholders(),
      name: try await arguments.name?.string(in: &session) ?? "")
    session.loaded.append(Session.LoadedSource(source: source))
    return Answer(.source(source), Output(.report(session.status(of: source))))
  }
}
