import DataSources
import DataTables

/// The labels of `paginated`: those of `remote`, and how pages are asked for.
struct PaginatedSettings: SourceSettings {
  private static let own = [
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

  static let labels = own + RemoteSettings.labels

  private let remote: RemoteSettings
  private let paging: [String: Argument]

  init(parsing arguments: Arguments) throws {
    remote = try RemoteSettings(parsing: arguments)
    var paging: [String: Argument] = [:]
    for label in Self.own { paging[label.name] = try arguments.label(label.name) }
    self.paging = paging
  }

  /// A source of the pages at a URL.
  func source(
    at url: String, place: Span, in session: inout Session
  ) async throws -> PaginatedSource {
    let source = PaginatedSource(TransportRequest(url: url), through: session.transports)
    try await set(source, RemoteSettings.Asked(url: url), at: place, in: &session)
    return source
  }

  func set(
    _ source: PaginatedSource, over inner: any DataSource, in session: inout Session
  ) async throws {
    let place = (paging["parameter"] ?? paging["paging"])?.span
    try await set(source, RemoteSettings.Asked(source), at: place, in: &session)
  }

  private func set(
    _ source: PaginatedSource, _ old: RemoteSettings.Asked, at place: Span?,
    in session: inout Session
  ) async throws {
    let asked = try await remote.asked(changing: old, in: &session)
    let paging = try await paging(changing: source.paging, in: &session)
    if [.page, .offset].contains(paging.style), asked.request.hasParameter(paging.countName) {
      var refusal = Diagnostic(
        .badArgument,
        "the pages count in `\(paging.countName)` themselves; `firstPage:` says where they begin, "
          + "`parameter:` names another")
      refusal.place = place?.place
      throw refusal
    }
    let prefetches = try prefetches(changing: source.prefetches)
    let pageLimit = try pageLimit(changing: source.pageLimit)
    asked.set(source)
    source.paging = paging
    source.prefetches = prefetches
    source.pageLimit = pageLimit
  }
}

// Labels, those that are not given as they were; `null` is what they are unless given.
extension PaginatedSettings {
  private func paging(changing old: Paging, in session: inout Session) async throws -> Paging {
    var new = old
    let usual = Paging()
    new.style = try style(changing: old)
    if let cursor = paging["cursor"] {
      new.cursor = cursor.isNull ? nil : try await cursor.keyPath(in: &session).path
    }
    if let size = paging["pageSize"] {
      new.pageSize = try size.isNull ? nil : size.natural()
      if new.pageSize == 0 { throw size.error(.badArgument, "a page has at least one object") }
    }
    if let first = paging["firstPage"] {
      new.firstPage = try first.isNull ? usual.firstPage : first.natural()
    }
    if let name = paging["parameter"] {
      new.parameter = name.isNull ? nil : try await name.string(in: &session)
    }
    if let name = paging["sizeParameter"] {
      new.sizeParameter = name.isNull ? nil : try await name.string(in: &session)
    }
    for (label, place) in Self.answerKeys {
      guard let key = paging[label] else { continue }
      new[keyPath: place] =
        key.isNull ? usual[keyPath: place] : try await key.keyPath(in: &session).path
    }
    return new
  }

  private static var answerKeys: [(String, WritableKeyPath<Paging, ObjectKeyPath>)] {
    [
      ("pageKey", \.pageKey), ("pageSizeKey", \.pageSizeKey),
      ("numberOfPagesKey", \.numberOfPagesKey), ("totalKey", \.totalKey),
    ]
  }

  private func style(changing old: Paging) throws -> Paging.Style {
    let words = Paging.Style.allCases.map(\.rawValue)
    let cursor = paging["cursor"]
    let isCleared = cursor?.isNull ?? false
    let named = try paging["paging"].map { argument in
      argument.isNull
        ? .page
        : Paging.Style(
          rawValue: try argument.choice(of: words, for: "way of paging")) ?? .page
    }
    let hasCursor = !isCleared && (cursor != nil || old.cursor != nil)
    let style = named ?? (cursor == nil ? old.style : isCleared ? .page : .cursor)
    if let cursor, !isCleared, style != .cursor {
      throw cursor.error(.badArgument, "`cursor:` is for `paging: cursor`")
    }
    if style == .cursor, !hasCursor, let argument = paging["paging"] {
      throw argument.error(.badArgument, "`paging: cursor` wants its place: `cursor: next`")
    }
    return style
  }

  private func prefetches(changing old: Bool) throws -> Bool {
    guard let argument = paging["prefetch"] else { return old }
    return try !argument.isNull && argument.bool()
  }

  private func pageLimit(changing old: Int) throws -> Int {
    guard let limit = paging["maxPages"] else { return old }
    if limit.isNull { return PaginatedSource.usualPageLimit }
    let pages = try limit.natural()
    if pages == 0 { throw limit.error(.badArgument, "at least one page is taken") }
    return pages
  }
}

extension Paging {
  /// The query's name for the number or the offset.
  fileprivate var countName: String { parameter ?? style.rawValue }
}

extension TransportRequest {
  /// Whether the query, here or in the URL, has a parameter already.
  fileprivate func hasParameter(_ name: String) -> Bool {
    let inURL = url.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    return query.contains { $0.name == name }
      || inURL.split(separator: "&").contains { $0.prefix { $0 != "=" } == name }
  }
}
