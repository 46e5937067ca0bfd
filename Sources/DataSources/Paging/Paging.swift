public import DataTables

/// How the pages of a collection are asked for, and what an answer tells of them.
public struct Paging: Hashable, Sendable {
  public enum Style: String, Sendable, CaseIterable {
    /// By number: `?page=2`.
    case page
    /// By the number of objects before them: `?offset=20`.
    case offset
    /// By what the page before said of it, at ``Paging/cursor``; a URL there is followed unless
    /// ``Paging/parameter`` says where a cursor goes.
    case cursor
    /// By the `Link` header with `rel=next`.
    case link
  }
  public var style: Style
  /// The query parameter of the number, offset or cursor; nil for the name of the style.
  public var parameter: String?
  /// The query parameter of ``pageSize``; nil for `page_size`, and `limit` with offsets.
  public var sizeParameter: String?
  /// How many objects a page is asked to have; nil leaves it to the server.
  public var pageSize: Int?
  /// The number of the first page.
  public var firstPage = 1
  /// Where in an answer the cursor of the next page is.
  public var cursor: ObjectKeyPath?
  /// Where in an answer its number is.
  public var pageKey = ObjectKeyPath(key: "page")
  /// Where in an answer the size of pages is.
  public var pageSizeKey = ObjectKeyPath(key: "page_size")
  /// Where in an answer the number of pages is.
  public var numberOfPagesKey = ObjectKeyPath(key: "number_of_pages")
  /// Where in an answer the number of all objects is.
  public var totalKey = ObjectKeyPath(key: "total_count")

  public init(_ style: Style = .page) { self.style = style }

  /// What is read of an answer beside its objects.
  var extraValues: [ObjectKeyPath] {
    [pageKey, pageSizeKey, numberOfPagesKey, totalKey] + (cursor.map { [$0] } ?? [])
  }

  var parameterName: String { parameter ?? style.rawValue }
  var sizeParameterName: String {
    sizeParameter ?? (style == .offset ? "limit" : "page_size")
  }

  /// `pages of 20 by page`, `by cursor next`
  var summary: String {
    let size = pageSize.map { "pages of \($0) " } ?? ""
    switch style {
    case .page, .offset: return size + "by \(parameterName)"
    case .cursor: return size + "by cursor \(cursor?.description ?? "")"
    case .link: return size + "by links"
    }
  }
}
