import DataTables

/// The fetched pages of a collection, and the request for the next one.
///
/// The sequence advances only with a page that was fetched: a failed page is requested again.
struct PageSequence: Sendable {
  private let request: TransportRequest
  let paging: Paging
  private(set) var pages: [RemoteResponse] = []
  /// The number of objects that the server sent, rejected ones included.
  private var numberOfReceived = 0
  /// The next request; nil after the last page.
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
  /// - Throws: ``SourceError``, `denied` for a link from http or https to another scheme, or the
  ///   other way around.
  mutating func append(_ response: RemoteResponse) throws {
    let number = paging.firstPage.addingReportingOverflow(pages.count).partialValue
    let extraValues = response.loaded.extraValues
    let count = response.table.count + response.loaded.report.rejected
    let received = numberOfReceived + count
    let newNumberOfPages = extraValues[paging.numberOfPagesKey]?.count ?? numberOfPages
    let newTotal = extraValues[paging.totalKey]?.count ?? total
    // A file ignores the query and would return the same page forever.
    let isFile = URLParts(request.url).scheme == "file" && [.page, .offset].contains(paging.style)
    let isLast =
      count == 0 || isFile || newTotal.map { received >= $0 } ?? false
      || paging.style == .page && newNumberOfPages.map { pages.count + 1 >= $0 } ?? false
    // Change a copy, so that an invalid link leaves the sequence unchanged.
    var advanced = self
    advanced.next = nil
    if !isLast { try advanced.setNext(after: response, number: number, received: received) }
    self = advanced
    pages.append(response)
    numberOfReceived = received
    currentPage = extraValues[paging.pageKey]?.count ?? number
    pageSize = extraValues[paging.pageSizeKey]?.count ?? pageSize
    numberOfPages = newNumberOfPages
    total = newTotal
  }

  /// - Parameters:
  ///   - number: the number of the page in `response`.
  ///   - received: the number of objects on that page and the pages before it.
  private mutating func setNext(
    after response: RemoteResponse, number: Int, received: Int
  ) throws {
    switch paging.style {
    case .page:
      let (nextNumber, isTooLarge) = number.addingReportingOverflow(1)
      if !isTooLarge { next = request.adding([(paging.parameterName, nextNumber)] + size) }
    case .offset: next = request.adding([(paging.parameterName, received)] + size)
    case .cursor:
      let value = paging.cursor.flatMap { response.loaded.extraValues[$0] }
      guard let cursor = value?.cursorText, isNew(cursor) else { return }
      if isLink(cursor) {
        next = try request.following(cursor, from: response.url)
      } else {
        next = request.adding(size)
        next?.query.append(RequestParameter(paging.parameterName, .plain(cursor)))
      }
    case .link:
      guard let link = response.nextLink, isNew(link) else { return }
      next = try request.following(link, from: response.url)
    }
  }

  private mutating func isNew(_ cursor: String) -> Bool {
    if followed.insert(cursor).inserted { return true }
    let shown = request.redacting(isLink(cursor) ? URLParts(cursor).shown : cursor)
    note =
      "the pages end here: the last one leads to `\(shown)` again, which has been fetched already"
    return false
  }

  /// Whether a cursor is the URL of the next page rather than a value for the query.
  ///
  /// Base64 can begin with a slash too, so a path without a query is a link only if it is the
  /// collection's path or a path below that one.
  private func isLink(_ cursor: String) -> Bool {
    if paging.style == .link { return true }
    if paging.parameter != nil { return false }
    if ["http://", "https://", "file:", "?"].contains(where: { cursor.hasPrefix($0) }) {
      return true
    }
    guard cursor.hasPrefix("/") else { return false }
    if cursor.contains("?") { return true }
    let path = URLParts(request.url).path
    guard path.count > 1, cursor.hasPrefix(path) else { return false }
    return path.hasSuffix("/") || ["/", nil].contains(cursor.dropFirst(path.count).first)
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

  /// The text of a cursor; nil for the values that servers send on the last page.
  fileprivate var cursorText: String? {
    switch self {
    case .null, .bool, .string(""): nil
    case .string(let text): text
    default: json
    }
  }
}
