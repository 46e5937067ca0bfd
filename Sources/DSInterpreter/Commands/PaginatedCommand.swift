import DataSources
import DataTables

/// `paginated URL …`
struct PaginatedCommand: Command {
  static let names = ["paginated"]
  static let synopsis =
    "paginated URL [keyPath: KEYPATH] [pageSize: N] [paging: STYLE] [cursor: KEYPATH] …"
  static let summary = "Makes a source of a collection that comes in pages, one behind another."
  static let labels = PaginatedSettings.labels + [.name]
  static let notes = [
    "A fetch gets the first page, fetchNextPage and willDisplay append one; `fetch X all: true` gets",
    "all. `paging: link` follows the header Link, `cursor:` a cursor or a URL in the answer; with",
    "`parameter:` it is always a cursor.",
  ]
  static let examples = [
    "let foods = paginated file:data/foods.csv pageSize: 20 | fetch",
    "let posts = paginated https://example.test/posts keyPath: items pageSize: 50 prefetch: true",
    "let log = paginated https://example.test/log keyPath: data cursor: meta.next parameter: after",
  ]
  static let seeAlso = ["remote", "fetchNextPage", "willDisplay", "fetch", "servers"]
  static let resultKind = ResultKind.newSource

  let url: Argument
  let settings: PaginatedSettings
  let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    url = try arguments.required("a URL")
    settings = try PaginatedSettings(parsing: arguments)
    name = try arguments.label("name")
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await settings.source(
      at: try await url.url(in: &session), place: url.span, in: &session)
    source.name = try await name?.string(in: &session) ?? ""
    session.loaded.append(Session.LoadedSource(source: source))
    return CommandResult(.source(source), Output(.report(session.status(of: source))))
  }
}
