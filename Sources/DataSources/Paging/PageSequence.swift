import DataTables

/// The fetched pages of a collection, and the request for the next one.
///
/// It advances only with a page that was fetched: a failed page is requested again.
struct PageSequence: Sendable {
  private let request: TransportRequest
  let paging: Paging
  private(set) var pages: [RemoteResponse] = []
  /// The number of objects that the server sent, rejected ones included.
  private var numberOfGiven = 0
  /// The next request; nil if there are no more pages.
  private(set) var next: TransportRequest?
  /// The number of the last fetched page, as the server counts.
  private(set) var currentPage: Int?
  private(set) var pageSize: Int?
  private(set) var numberOfPages: Int?
  private(set) var total: Int?
  /// A note about the end of the pages, for the load report.
  private(set) var note: String?
  /// The cursors and links that were followed.
  private var followed: Set<String> = []

  init(_ request: TransportRequest, _ paging: Paging) {
    self.request = request
    self.paging = paging
    pageSize = paging.pageSize
    var first: [(String, Int)] = []
    switch paging.style {
    case .page: first.append((paging.parameterName, paging.firstPage))
    case .offset: first.append((paging.parameterName, 0))
    case .cursor, .link: break
    }
    next = request.adding(first + size)
  }

  private var size: [(String, Int)] {
    paging.pageSize.map { [(paging.sizeParameterName, $0)] } ?? []
  }

  /// The request after ``next``, if it is known before the response to ``next``.
  var afterNext: TransportRequest? {
    guard paging.style == .page, next != nil, let numberOfPages, pages.count + 1 < numberOfPages
    else { return nil }
    let (number, isTooLarge) = paging.firstPage.addingReportingOverflow(pages.count + 1)
    return isTooLarge ? nil : request.adding([(paging.parameterName, number)] + size)
  }

  /// Appends the response to ``next``.
  /// - Throws: ``SourceError``, `denied` for a link to another scheme than http and https.
  mutating func take(_ answer: RemoteResponse) throws {
    let number = paging.firstPage.addingReportingOverflow(pages.count).partialValue
    let extraValues = answer.loaded.extraValues
    let givenNow = answer.table.count + answer.loaded.report.rejected
    let given = numberOfGiven + givenNow
    let pagesNow = extraValues[paging.numberOfPagesKey]?.count ?? numberOfPages
    let totalNow = extraValues[paging.totalKey]?.count ?? total
    var following = self
    following.next = nil
    // A file ignores the query: it would be the same page forever.
    let isFile = URLParts(request.url).scheme == "file" && [.page, .offset].contains(paging.style)
    let isLast =
      givenNow == 0 || isFile || totalNow.map { given >= $0 } ?? false
      || paging.style == .page && pagesNow.map { pages.count + 1 >= $0 } ?? false
    if !isLast {
      try following.follow(answer, number: number, given: given)
    }
    self = following
    pages.append(answer)
    numberOfGiven = given
    currentPage = extraValues[paging.pageKey]?.count ?? number
    pageSize = extraValues[paging.pageSizeKey]?.count ?? pageSize
    numberOfPages = pagesNow
    total = totalNow
  }

  private mutating func follow(_ answer: RemoteResponse, number: Int, given: Int) throws {
    switch paging.style {
    case .page:
      let (following, isTooLarge) = number.addingReportingOverflow(1)
      if !isTooLarge { next = request.adding([(paging.parameterName, following)] + size) }
    case .offset: next = request.adding([(paging.parameterName, given)] + size)
    case .cursor:
      let value = paging.cursor.flatMap { answer.loaded.extraValues[$0] }
      guard let cursor = value?.cursorText, isNew(cursor) else { return }
      if isLink(cursor) {
        next = try request.following(cursor, from: answer.url)
      } else {
        next = request.adding(size)
        next?.query.append(RequestParameter(paging.parameterName, .plain(cursor)))
      }
    case .link:
      guard let link = answer.nextLink, isNew(link) else { return }
      next = try request.following(link, from: answer.url)
    }
  }

  private mutating func isNew(_ cursor: String) -> Bool {
    if followed.insert(cursor).inserted { return true }
    let shown = request.redacting(isLink(cursor) ? URLParts(cursor).shown : cursor)
    note = "the pages end here: the last one leads to `\(shown)` again, which is fetched already"
    return false
  }

  /// Whether a cursor is the URL of the next page rather than a value for the query.
  ///
  /// Base64 can begin with a slash too, so a path alone is a link only if it is the path of the
  /// collection or below it.
  private func isLink(_ cursor: String) -> Bool {
    if paging.style == .link { return true }
    if paging.parameter != nil { return false }
    if ["http://", "https://", "file:", "?"].contains(where: { cursor.hasPrefix($0) }) {
      return true
    }
    guard cursor.hasPrefix("/") else { return false }
    if cursor.contains("?") { return true }
    let asked = URLParts(request.url).path
    guard asked.count > 1, cursor.hasPrefix(asked) else { return false }
    return asked.hasSuffix("/") || ["/", nil].contains(cursor.dropFirst(asked.count).first)
  }
}

extension Value {
  /// A count; some servers write it as a string.
  fileprivate var count: Int? {
    switch self {
    case .integer(let number) where number >= 0: number
    case .string(let text): Int(text).flatMap { $0 >= 0 ? $0 : nil }
    default: nil
    }
  }

  /// nil for the values that servers write if there is no next page.
  fileprivate var cursorText: String? {
    switch self {
    case .null, .bool, .string(""): nil
    case .string(let text): text
    default: json
    }
  }
}
