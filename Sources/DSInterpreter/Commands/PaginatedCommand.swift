import DataSources
import DataTables

/// `paginated URL …`
struct PaginatedCommand: Command {
  static let names = ["paginated"]
  static let synopsis =
    "paginated URL [keyPath: KEYPATH] [pageSize: N] [paging: STYLE] [cursor: KEYPATH] …"
  static let summary = "Makes a source of a collection that comes in pages, one behind another."
  static let labels = PagingArguments.labels + RequestArguments.labels
  static let notes = [
    "A fetch gets the first page, fetchNextPage and willDisplay append one; `fetch X all: true` gets",
    "all. `paging: link` follows the header Link, `cursor:` a cursor or a URL in the answer.",
  ]
  static let examples = [
    "let foods = paginated file:data/foods.csv pageSize: 20 | fetch",
    "let posts = paginated https://example.test/posts keyPath: items pageSize: 50 prefetch: true",
    "let log = paginated https://example.test/log keyPath: data cursor: meta.next parameter: after",
  ]
  static let seeAlso = ["remote", "fetchNextPage", "willDisplay", "fetch", "servers"]
  static let gives = Gift.newSource

  let url: Argument
  let arguments: RequestArguments
  let paging: PagingArguments

  init(parsing arguments: inout Arguments) throws {
    url = try arguments.required("a URL")
    self.arguments = try RequestArguments(parsing: arguments)
    paging = try PagingArguments(parsing: arguments)
  }

  func run(in session: inout Session) async throws -> Answer {
    let request = try await arguments.request(to: url, in: &session)
    let paging = try await paging.paging(in: &session)
    if [.page, .offset].contains(paging.style),
      request.hasParameter(paging.parameter ?? paging.style.rawValue)
    {
      throw url.error(
        .badArgument,
        "the pages count in `\(paging.parameter ?? paging.style.rawValue)` themselves; `firstPage:` "
          + "says where they begin, `parameter:` names another")
    }
    let source = PaginatedSource(
      request, through: session.transports, paging: paging,
      options: try await arguments.options(in: &session),
      placeholders: try arguments.placeholders(), prefetches: try self.paging.prefetches(),
      pageLimit: try self.paging.pageLimit(),
      name: try await arguments.name?.string(in: &session) ?? "")
    session.loaded.append(Session.LoadedSource(source: source))
    return Answer(.source(source), Output(.report(session.status(of: source))))
  }
}

extension TransportRequest {
  /// Whether the query, here or in the URL, has a parameter already.
  fileprivate func hasParameter(_ name: String) -> Bool {
    let inURL = url.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    return query.contains { $0.name == name }
      || inURL.split(separator: "&").contains { $0.prefix { $0 != "=" } == name }
  }
}
