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
    "",
    "`afterKey: id` requests the objects after the last one, as Stripe does (starting_after), and",
    "`paging: range` sends `Range: items=0-49`. `moreKey:` is false on the last page.",
    "With `body: {…}`, the parameters of pages are members of that object: `variables.after`.",
    "",
    "A page without objects that leads on is not the last one. If the number of pages or objects is",
    "known, `fetch X all: true` requests pages with numbers or offsets side by side.",
  ]
  static let examples = [
    "let foods = paginated file:data/foods.csv pageSize: 20 | fetch",
    "let posts = paginated https://example.test/posts keyPath: items pageSize: 50 prefetch: true",
    "let log = paginated https://example.test/log keyPath: data cursor: meta.next parameter: after",
    "let charges = paginated https://example.test/v1 afterKey: id parameter: starting_after",
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
