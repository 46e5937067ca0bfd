import DataSources
import DataTables

/// `paginated URL …`
struct PaginatedCommand: Command {
  private static let url = Parameter(.url)

  static let names = ["paginated"]
  static let parameters = [url]
  static let labels = PaginatedSettings.labels + [.name]
  static let synopsis =
    "paginated URL [keyPath: KEYPATH] [pageSize: N] [paging: STYLE] [cursor: KEYPATH] …"
  static let summary = "Creates a source of a collection that a server returns in pages."
  static let notes = [
    "A fetch requests the first page, `fetch X all: true` requests all pages, and fetchNextPage and",
    "willDisplay append one. `paging: link` follows the Link header; `cursor:` is the key path of the",
    "next cursor or URL in a response. With `parameter:`, its value is always sent as a cursor.",
  ]
  static let examples = [
    "let foods = paginated file:data/foods.csv pageSize: 20 | fetch",
    "let posts = paginated https://example.test/posts keyPath: items pageSize: 50 prefetch: true",
    "let log = paginated https://example.test/log keyPath: data cursor: meta.next parameter: after",
  ]
  static let seeAlso = ["remote", "fetchNextPage", "willDisplay", "fetch", "servers"]
  static let resultKind = ResultKind.newSource

  private let url: Argument
  private let settings: PaginatedSettings
  private let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    url = try arguments.require(Self.url)
    settings = try PaginatedSettings(parsing: arguments)
    name = try arguments[.name]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await settings.source(
      at: try await url.url(in: &session), span: url.span, in: &session)
    source.name = try await name?.string(in: &session) ?? ""
    session.loaded.append(Session.LoadedSource(source: source))
    return CommandResult(.source(source), Output(.report(session.status(of: source))))
  }
}
