import DataSources
import DataTables

/// The labels of `paginated`: those of `remote`, and how pages are requested.
struct PaginatedSettings: SourceSettings {
  private static let paging = Label(
    "paging", .choice(Choices("paging style", Paging.Style.self, default: .page)),
    example: "offset")
  private static let cursor = Label(
    "cursor", .keyPath(.response), "key path of the next cursor or URL in a response",
    example: "meta.next")
  private static let afterKey = Label(
    "afterKey", .keyPath(.response), "key of the last object, which the next page comes after",
    example: "id")
  private static let parameter = Label(
    "parameter", .string, "parameter of page, offset or cursor; the unit of ranges", example: "p")
  private static let pageSize = Label(
    "pageSize", .positiveInteger, "number of objects to request per page", example: "50")
  private static let prefetch = Label(
    "prefetch", .boolean, "true to request the next page ahead of time", example: "true")
  private static let maxPages = Label(
    "maxPages", .positiveInteger, "maximum number of pages of `fetch … all: true` (1000)",
    example: "50")

  /// The labels that set one property each.
  private static let pages: [Setting<Paging>] = [
    Setting(pageSize, \.pageSize, default: nil) { value, _ in try value.integer() },
    Setting(
      Label("firstPage", .nonNegativeInteger, "number of the first page (1)", example: "0"),
      \.firstPage, default: defaults.firstPage
    ) { value, _ in try value.integer() },
    Setting(parameter, \.parameter, default: nil) { value, session in
      try await value.parameterName(in: &session)
    },
    Setting(
      Label("sizeParameter", .string, "parameter of the page size", example: "per_page"),
      \.sizeParameter, default: nil
    ) { value, session in try await value.parameterName(in: &session) },
    Setting(
      Label(
        "maxEmptyPages", .positiveInteger, "maximum number of empty pages in a row (100)",
        example: "1000"),
      \.maxEmptyPages, default: defaults.maxEmptyPages
    ) { value, _ in try value.integer() },
    responseKey(
      "pageKey", "key path of the page number in a response (page)", example: "meta.page",
      \.pageKey, default: defaults.pageKey),
    responseKey(
      "pageSizeKey", "key path of the page size (page_size)", example: "meta.size",
      \.pageSizeKey, default: defaults.pageSizeKey),
    responseKey(
      "numberOfPagesKey", "key path of the number of pages (number_of_pages)",
      example: "meta.pages", \.numberOfPagesKey, default: defaults.numberOfPagesKey),
    responseKey(
      "totalKey", "key path of the number of objects (total_count)", example: "meta.total",
      \.totalKey, default: defaults.totalKey),
    responseKey(
      "moreKey", "key path of a bool, false on the last page (has_more)",
      example: "pageInfo.hasNextPage", \.moreKey, default: defaults.moreKey),
  ]
  private static let defaults = Paging()

  private static func responseKey(
    _ name: String, _ help: String, example: String,
    _ property: any WritableKeyPath<Paging, ObjectKeyPath> & Sendable,
    default defaultValue: ObjectKeyPath
  ) -> Setting<Paging> {
    Setting(
      Label(name, .keyPath(.response), help, example: example), property, default: defaultValue
    ) { value, session in try await value.keyPath(in: &session).path }
  }

  static let labels =
    [paging, cursor, afterKey] + pages.map(\.label) + [prefetch, maxPages] + RemoteSettings.labels

  private let remote: RemoteSettings
  private let paging: Argument?
  private let cursor: Argument?
  private let afterKey: Argument?
  private let pages: GivenSettings<Paging>
  private let prefetch: Argument?
  private let maxPages: Argument?

  init(parsing arguments: Arguments) throws {
    remote = try RemoteSettings(parsing: arguments)
    paging = try arguments[Self.paging]
    cursor = try arguments[Self.cursor]
    afterKey = try arguments[Self.afterKey]
    pages = try GivenSettings(Self.pages, parsing: arguments)
    prefetch = try arguments[Self.prefetch]
    maxPages = try arguments[Self.maxPages]
  }

  /// A source of the pages at a URL.
  func source(
    at url: String, span: Span, in session: inout Session
  ) async throws -> PaginatedSource {
    let source = PaginatedSource(
      TransportRequest(url: url), through: session.transports, formats: .standard)
    try await set(source, RemoteSettings.Configuration(url: url), at: span, in: &session)
    return source
  }

  func set(
    _ source: PaginatedSource, over inner: any DataSource, in session: inout Session
  ) async throws {
    let span = (pages[Self.parameter] ?? paging)?.span
    try await set(source, RemoteSettings.Configuration(source), at: span, in: &session)
  }

  private func set(
    _ source: PaginatedSource, _ old: RemoteSettings.Configuration, at span: Span?,
    in session: inout Session
  ) async throws {
    let configuration = try await remote.configuration(changing: old, in: &session)
    let paging = try await paging(changing: source.paging, in: &session)
    if [.page, .offset].contains(paging.style),
      configuration.request.hasParameter(paging.countName)
    {
      var conflict = Diagnostic(
        .badArgument,
        "paging sets `\(paging.countName)` itself; use `firstPage:` for the first page, or "
          + "`parameter:` for another name")
      conflict.place = span?.place
      throw conflict
    }
    let prefetches = try prefetch.map { try !$0.isNull && $0.boolean() } ?? source.prefetches
    let pageLimit =
      try maxPages.map { try $0.isNull ? PaginatedSource.defaultPageLimit : $0.integer() }
      ?? source.pageLimit
    configuration.set(source)
    source.paging = paging
    source.prefetches = prefetches
    source.pageLimit = pageLimit
  }

  private func paging(changing old: Paging, in session: inout Session) async throws -> Paging {
    var new = old
    new.style = try style(changing: old)
    if let cursor {
      new.cursor = cursor.isNull ? nil : try await cursor.keyPath(in: &session).path
    }
    if let afterKey {
      new.afterKey = afterKey.isNull ? nil : try await afterKey.keyPath(in: &session).path
    }
    try await pages.apply(to: &new, in: &session)
    if new.style == .range, new.pageSize == nil, let given = pages[Self.pageSize] ?? paging {
      throw given.error(.badArgument, "`paging: range` needs a size; add `pageSize: 50`")
    }
    return new
  }

  /// The paging style; `cursor:` implies `paging: cursor`, and `afterKey:` `paging: after`.
  private func style(changing old: Paging) throws -> Paging.Style {
    let named: Paging.Style? = try paging.map { try $0.isNull ? .page : $0.choice() }
    var style = named ?? old.style
    for (key, needed, name) in [
      (cursor, Paging.Style.cursor, "cursor"), (afterKey, .after, "afterKey"),
    ] {
      guard let key else { continue }
      if named == nil { style = key.isNull ? (style == needed ? .page : style) : needed }
      if !key.isNull, style != needed {
        throw key.error(.badArgument, "`\(name):` needs `paging: \(needed.rawValue)`")
      }
    }
    let hasCursor = cursor.map { !$0.isNull } ?? (old.cursor != nil)
    if style == .cursor, !hasCursor, let paging {
      throw paging.error(
        .badArgument, "`paging: cursor` needs a key path; add `cursor: next`")
    }
    let hasKey = afterKey.map { !$0.isNull } ?? (old.afterKey != nil)
    if style == .after, !hasKey, let paging {
      throw paging.error(
        .badArgument, "`paging: after` needs a key of the objects; add `afterKey: id`")
    }
    return style
  }
}

extension Argument {
  /// A name of a parameter, or a path of keys in the body.
  fileprivate func parameterName(in session: inout Session) async throws -> String {
    let name = try await string(in: &session)
    guard name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty })
    else {
      throw error(
        .badArgument, "`\(name)` is not a name of a parameter, such as `page` or `variables.after`")
    }
    return name
  }
}

extension Paging {
  /// The query parameter of the page number or the offset.
  fileprivate var countName: String { parameter ?? style.rawValue }
}

extension TransportRequest {
  /// Whether the query has a parameter, here or in the URL.
  fileprivate func hasParameter(_ name: String) -> Bool {
    let inURL = url.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    return query.contains { $0.name == name } || body?.object?[name] != nil
      || inURL.split(separator: "&").contains { $0.prefix { $0 != "=" } == name }
  }
}
