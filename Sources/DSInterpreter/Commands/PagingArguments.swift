import DataSources
import DataTables

/// The labels that say how pages are asked for.
struct PagingArguments {
  static let labels = [
    Label(
      "paging", "page (default), offset, cursor, link", example: "offset",
      completion: .words(Paging.Style.allCases.map(\.rawValue))),
    Label("cursor", "key path of the next cursor or URL in an answer", example: "meta.next"),
    Label("pageSize", "how many objects a page is asked to have", example: "50"),
    Label("firstPage", "the number of the first page (1)", example: "0"),
    Label("parameter", "the query's name for page, offset or cursor", example: "p"),
    Label("sizeParameter", "the query's name for the page size", example: "per_page"),
    Label("pageKey", "where an answer has its number (page)", example: "meta.page"),
    Label("pageSizeKey", "where it has the page size (page_size)", example: "meta.size"),
    Label(
      "numberOfPagesKey", "where it has the number of pages (number_of_pages)",
      example: "meta.pages"),
    Label(
      "totalKey", "where it has the number of objects (total_count)", example: "meta.total"),
    Label(
      "prefetch", "true asks for the next page before it is wanted", example: "true",
      completion: .words(["true", "false"])),
    Label(
      "maxPages", "the most pages that `fetch … all: true` takes (1000)", example: "50"),
  ]

  private let labels: [String: Argument]

  init(parsing arguments: Arguments) throws {
    var labels: [String: Argument] = [:]
    for label in Self.labels { labels[label.name] = try arguments.label(label.name) }
    self.labels = labels
  }

  func paging(in session: inout Session) async throws -> Paging {
    var paging = Paging(try style())
    paging.cursor = try await labels["cursor"]?.keyPath(in: &session).path
    if let size = labels["pageSize"] {
      paging.pageSize = try size.natural()
      if paging.pageSize == 0 { throw size.error(.badArgument, "a page has at least one object") }
    }
    paging.firstPage = try labels["firstPage"]?.natural() ?? paging.firstPage
    paging.parameter = try await labels["parameter"]?.string(in: &session)
    paging.sizeParameter = try await labels["sizeParameter"]?.string(in: &session)
    for (label, place) in Self.answerKeys {
      guard let path = try await labels[label]?.keyPath(in: &session).path else { continue }
      paging[keyPath: place] = path
    }
    return paging
  }

  private static var answerKeys: [(String, WritableKeyPath<Paging, ObjectKeyPath>)] {
    [
      ("pageKey", \.pageKey), ("pageSizeKey", \.pageSizeKey),
      ("numberOfPagesKey", \.numberOfPagesKey), ("totalKey", \.totalKey),
    ]
  }

  private func style() throws -> Paging.Style {
    let words = Paging.Style.allCases.map(\.rawValue)
    let named = try labels["paging"]?.choice(of: words, for: "way of paging")
    let style = named.flatMap { Paging.Style(rawValue: $0) }
    if let cursor = labels["cursor"], style ?? .cursor != .cursor {
      throw cursor.error(.badArgument, "`cursor:` is for `paging: cursor`")
    }
    if style == .cursor, labels["cursor"] == nil, let paging = labels["paging"] {
      throw paging.error(.badArgument, "`paging: cursor` wants its place: `cursor: next`")
    }
    return style ?? (labels["cursor"] == nil ? .page : .cursor)
  }

  func prefetches() throws -> Bool { try labels["prefetch"]?.bool() ?? false }

  func pageLimit() throws -> Int {
    guard let limit = labels["maxPages"] else { return PaginatedSource.usualPageLimit }
    let pages = try limit.natural()
    if pages == 0 { throw limit.error(.badArgument, "at least one page is taken") }
    return pages
  }
}
