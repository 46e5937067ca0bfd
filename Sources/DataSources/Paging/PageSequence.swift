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
  /// Whether all pages have as many objects as the first one, so that offsets can be guessed.
  private(set) var hasEqualPages = true
  /// The reason why ``next`` must not be sent.
  private var obstacle: SourceError?
  /// The number of the last fetched page, as the server counts.
  private(set) var currentPage: Int?
  private(set) var pageSize: Int?
  private(set) var numberOfPages: Int?
  private(set) var total: Int?
  private var repetition: String?
  /// The number of pages at the end that have the objects of the page before each of them.
  private var numberOfRepeatedPages = 0
  /// A longer series of equal pages is an error.
  private static let maximumRepeatedPages = 3
  /// The cursors and links that were followed.
  private var followed: Set<String> = []
  /// Whether a cursor was a value for the query rather than a URL.
  private var hasSentCursor = false
  /// The key paths of ``Paging/extraValues`` at which a page had a value, which may be null.
  private var foundKeys: Set<ObjectKeyPath> = []
  /// The number of pages without objects at the end.
  private(set) var numberOfEmptyPages = 0

  init(_ request: TransportRequest, _ paging: Paging) {
    self.request = request
    self.paging = paging
    pageSize = paging.pageSize
    next = numbered(paging.style == .page ? paging.firstPage : 0)
  }

  /// The request of the page with a number or offset; without one in the other styles.
  private func numbered(_ number: Int) -> TransportRequest {
    var request = request
    switch paging.style {
    case .page, .offset:
      return request.adding([(paging.parameterName, .integer(number))] + size)
    case .cursor, .after, .link: return request.adding(size)
    case .range:
      let end = number.addingReportingOverflow(max(1, paging.pageSize ?? 1) - 1).partialValue
      let range = "\(paging.parameterName)=\(number)-\(max(number, end))"
      request.headers.removeAll { $0.name.lowercased() == "range" }
      request.headers.append(RequestParameter("Range", .plain(range)))
      return request
    }
  }

  private var size: [(name: String, value: Value)] {
    paging.pageSize.map { [(paging.sizeParameterName, .integer($0))] } ?? []
  }

  /// The next request; nil after the last page.
  /// - Throws: ``SourceError`` if the next page would repeat another one, or follows too many without
  ///   objects.
  func nextRequest() throws(SourceError) -> TransportRequest? {
    if let obstacle { throw obstacle }
    return next
  }

  /// The number of the last fetched page, counted from 1: of those that ``numberOfPages`` counts.
  var position: Int? {
    guard paging.style == .page, let last = pages.indices.last else { return currentPage }
    return paging.position(ofPageAt: last)
  }

  /// The requests from ``next`` on, at most `count`, as far as they are known before the responses:
  /// where the number of pages or of all objects is known, and pages have numbers or offsets.
  ///
  /// An offset is a guess, because a page may have fewer objects than the one before it. After such a
  /// page, only ``next`` is known.
  func upcoming(_ count: Int) -> [TransportRequest] {
    guard let next else { return [] }
    let known = min(count, numberOfRemainingPages ?? 1)
    guard known > 1, paging.style == .page || hasEqualPages else { return [next] }
    let more = (1..<known).compactMap { index -> TransportRequest? in
      let (number, isTooLarge) =
        paging.style == .page
        ? paging.firstPage.addingReportingOverflow(pages.count + index)
        : numberOfReceived.addingReportingOverflow(index * lastCount)
      return isTooLarge ? nil : numbered(number)
    }
    return [next] + more
  }

  /// The number of objects that the server sent on the last page.
  private var lastCount: Int { pages.last?.numberOfReceived ?? 0 }

  /// An estimate of the number of pages after the last fetched one; nil if it is unknown.
  private var numberOfRemainingPages: Int? {
    guard paging.style.hasNumbers, let last = pages.indices.last else { return nil }
    if paging.style == .page, let numberOfPages {
      return max(1, numberOfPages - paging.position(ofPageAt: last))
    }
    guard let total, lastCount > 0 else { return nil }
    return max(1, (max(0, total - numberOfReceived) - 1) / lastCount + 1)
  }

  /// Appends the response to ``next``.
  /// - Throws: ``SourceError``, `denied` for a link from http or https to another scheme, or the
  ///   other way around.
  mutating func append(_ response: RemoteResponse) throws {
    // Change a copy, so that an invalid link leaves the sequence unchanged.
    var advanced = self
    try advanced.advance(with: response)
    self = advanced
  }

  private mutating func advance(with response: RemoteResponse) throws {
    let number = paging.firstPage.addingReportingOverflow(pages.count).partialValue
    let extraValues = response.loaded.extraValues
    if let last = pages.last, response.hasSameObjects(as: last) {
      repetition = repetition ?? repetitionNote(page: number)
      numberOfRepeatedPages += 1
    } else {
      numberOfRepeatedPages = 0
    }
    pages.append(response)
    numberOfReceived += response.numberOfReceived
    numberOfEmptyPages = response.numberOfReceived == 0 ? numberOfEmptyPages + 1 : 0
    currentPage = extraValues[paging.pageKey]?.count ?? number
    pageSize = extraValues[paging.pageSizeKey]?.count ?? pageSize
    numberOfPages =
      extraValues[paging.numberOfPagesKey]?.count ?? response.numberOfPages ?? numberOfPages
    // A total below the objects of its own page counts something else.
    total =
      [extraValues[paging.totalKey]?.count, response.total].compactMap(\.self)
      .first { $0 >= response.numberOfReceived } ?? total
    if pages[0].numberOfReceived != response.numberOfReceived { hasEqualPages = false }
    foundKeys.formUnion(paging.extraValues.filter { extraValues[$0] != nil })
    next = nil
    if !isLast(response) { try setNext(after: response, number: number) }
    if next != nil, obstacle == nil, numberOfEmptyPages >= paging.maxEmptyPages {
      obstacle = tooManyEmptyPages
    }
  }

  /// Whether no page follows, whatever cursor or link the response has.
  private func isLast(_ response: RemoteResponse) -> Bool {
    let more = response.loaded.extraValues[paging.moreKey]
    if case .bool(false)? = more { return true }
    // Cursors and links lead on, also from a page without objects, and beyond a total that the server
    // estimated.
    guard paging.style.hasNumbers else { return false }
    if paging.style == .range, response.status != HTTPStatus.partialContent { return true }
    // A file ignores the query and would return the same page forever.
    if URLParts(request.url).scheme == "file" { return true }
    if let total, numberOfReceived >= total { return true }
    if paging.style == .page {
      if let numberOfPages { return paging.position(ofPageAt: pages.count - 1) >= numberOfPages }
      if case .bool(true)? = more { return false }
    }
    return response.numberOfReceived == 0
  }

  /// - Parameter number: the number of the page in `response`.
  private mutating func setNext(after response: RemoteResponse, number: Int) throws {
    switch paging.style {
    case .page:
      let (nextNumber, isTooLarge) = number.addingReportingOverflow(1)
      if !isTooLarge { next = numbered(nextNumber) }
    case .offset, .range: next = numbered(numberOfReceived)
    case .cursor:
      let value = paging.cursor.flatMap { response.loaded.extraValues[$0] }
      guard let value, let cursor = value.cursorText else { return }
      if isLink(cursor) {
        next = try request.following(cursor, from: response.url)
      } else {
        hasSentCursor = true
        next = request.removing(paging.parameterName)
          .adding(size + [(paging.parameterName, value)])
      }
      follow(cursor, number: number)
    case .after:
      guard response.table.count > 0, let key = paging.afterKey else { return }
      let last = try response.table.objects(at: [response.table.count - 1])[0]
      let value = key.evaluate(on: last)
      next = request.removing(paging.parameterName)
        .adding(size + [(paging.parameterName, value)])
      if let cursor = value.cursorText {
        follow(cursor, number: number)
      } else {
        obstacle = error(
          "the last object of page \(number) has no value at `\(key)`, so that no page can be "
            + "requested after it; `afterKey:` is the key of the objects by which the server sorts")
      }
    case .link:
      guard let link = response.nextLink else { return }
      next = try request.following(link, from: response.url)
      follow(link, number: number)
    }
  }

  /// Ends the pages at a status that says that no more objects exist.
  mutating func end() { next = nil }

  /// Checks that ``next`` does not lead to a page that was fetched already.
  private mutating func follow(_ cursor: String, number: Int) {
    if followed.insert(cursor).inserted { return }
    // Some servers repeat the last cursor at the end.
    if let total, numberOfReceived >= total {
      next = nil
      return
    }
    let shown = request.redacting(isLink(cursor) ? URLParts(cursor).shown : cursor)
    let fix =
      isLink(cursor)
      ? ""
      : "`parameter:` sets the name of the cursor if the server does not read "
        + "`\(paging.parameterName)`; "
    obstacle = error(
      "page \(number) leads to `\(shown)` again, which has been fetched already; \(fix)"
        + "`fetch` and `fetchNextPage` get the pages up to this one")
  }

  /// Checks that a fetch of all pages will end, which it might not if the server always sends the same
  /// one. Where the number of pages or of all objects is known, it ends.
  func checkRepetition() throws(SourceError) {
    guard numberOfRepeatedPages >= Self.maximumRepeatedPages, total == nil, numberOfPages == nil,
      let repetition
    else { return }
    throw error(
      "\(repetition), and so on: the last \(numberOfRepeatedPages) pages are the same; "
        + "`fetchNextPage` gets single pages")
  }

  private func error(_ message: String) -> SourceError {
    .response(.format(message, at: nil), request: request.shown)
  }

  private var tooManyEmptyPages: SourceError {
    .data(
      .limit(
        "\(request.shown): the last \(numberOfEmptyPages.counted("page")) had no objects",
        setting: "maxEmptyPages", at: nil))
  }

  /// The keys of responses that were set, but that no page has; not those of values that a header had,
  /// nor of a last page, which may lack the key for more.
  private var notesOnMissingKeys: [String] {
    if pages.isEmpty { return [] }
    let usual = Paging()
    let keys = [
      ("pageKey", paging.pageKey, usual.pageKey, true),
      ("pageSizeKey", paging.pageSizeKey, usual.pageSizeKey, true),
      ("numberOfPagesKey", paging.numberOfPagesKey, usual.numberOfPagesKey, numberOfPages == nil),
      ("totalKey", paging.totalKey, usual.totalKey, total == nil),
      ("moreKey", paging.moreKey, usual.moreKey, next != nil),
    ]
    return keys.filter { $0.1 != $0.2 && $0.3 && !foundKeys.contains($0.1) }.map {
      label, key, _, _ in
      "no page so far has `\(key)`; `\(label):` is a path from the top of a response"
    }
  }

  /// Notes for the load report: a repeated page, keys that no page has, and signs that the pages end
  /// early.
  var notes: [String] {
    var notes = (repetition.map { [$0] } ?? []) + notesOnMissingKeys
    guard next == nil, let last = pages.last else { return notes }
    let isShort = total.map { numberOfReceived < $0 } ?? false
    if let cursor = paging.cursor, paging.style == .cursor, !foundKeys.contains(cursor),
      last.loaded.extraValues[paging.moreKey] != .bool(false), isShort || total == nil
    {
      notes.append(
        "the pages end with the first one, because it has no `\(cursor)`; `cursor:` is the key path "
          + "of the next cursor or URL")
    }
    if let total, isShort, paging.firstPage <= 1 {
      notes.append("the pages end after \(numberOfReceived) of \(total.counted("object"))")
    }
    return notes
  }

  /// The note for a page with the objects of the page before it.
  private func repetitionNote(page number: Int) -> String {
    let note = "page \(number) has the same objects as the page before it"
    if [.link, .range].contains(paging.style) || paging.style == .cursor && !hasSentCursor {
      return note
    }
    return note + "; the server seems to ignore `\(paging.parameterName)` "
      + "(`parameter:` sets the name, `paging:` the style)"
  }

  /// Whether a cursor is the URL of the next page, absolute or relative, rather than a value for the
  /// query.
  ///
  /// Base64 can begin with a slash too: a path is a value if its end is base64 padding, or if an
  /// earlier cursor was a value.
  private func isLink(_ cursor: String) -> Bool {
    if paging.style == .link { return true }
    if paging.parameter != nil { return false }
    if ["http://", "https://", "file:", "?"].contains(where: { cursor.hasPrefix($0) }) {
      return true
    }
    guard cursor.hasPrefix("/") else { return false }
    return cursor.contains("?") || !hasSentCursor && !cursor.hasSuffix("=")
  }
}

extension Paging.Style {
  /// Whether pages are requested by numbers that are known before the responses.
  fileprivate var hasNumbers: Bool { [.page, .offset, .range].contains(self) }
}

extension Paging {
  /// The number of a page, counted from 1 as servers count pages in total.
  /// - Parameter index: the position among the fetched pages.
  fileprivate func position(ofPageAt index: Int) -> Int {
    let (number, isTooLarge) = max(1, firstPage).addingReportingOverflow(index)
    return isTooLarge ? .max : number
  }
}

extension RemoteResponse {
  /// The number of objects that the server sent, rejected ones included.
  fileprivate var numberOfReceived: Int { table.count + loaded.report.rejected }

  /// The number of objects on all pages, in the headers that servers use for it.
  fileprivate var total: Int? { header("x-total-count", "x-total") ?? totalOfRange }

  /// The number of objects after the slash of `Content-Range: items 0-19/100`.
  private var totalOfRange: Int? {
    guard status == HTTPStatus.partialContent else { return nil }
    return headers.first { $0.name.lowercased() == "content-range" }?.value
      .split(separator: "/").last.flatMap { Value.string(String($0)).count }
  }

  /// The number of pages, in the header that servers use for it.
  fileprivate var numberOfPages: Int? { header("x-total-pages") }

  private func header(_ names: String...) -> Int? {
    names.lazy.compactMap { name in headers.first { $0.name.lowercased() == name }?.value }
      .compactMap { Value.string($0).count }.first
  }

  /// Whether another page has equal objects in the same order. Pages without objects are not compared.
  ///
  /// - Complexity: O(objects), with an early end at the first batch that differs.
  fileprivate func hasSameObjects(as other: RemoteResponse) -> Bool {
    guard table.count > 0, table.count == other.table.count else { return false }
    return stride(from: 0, to: table.count, by: 100).allSatisfy { start in
      let rows = Array(start..<min(start + 100, table.count))
      guard let objects = try? table.objects(at: rows) else { return false }
      return (try? other.table.objects(at: rows)) == objects
    }
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
