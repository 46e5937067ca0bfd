public import DataTables

/// How the pages of a collection are requested, and where a response describes them.
public struct Paging: Hashable, Sendable {
  public enum Style: String, Sendable, CaseIterable {
    /// By number: `?page=2`.
    case page
    /// By the number of preceding objects: `?offset=20`.
    case offset
    /// By the value at ``Paging/cursor`` in the page before. A value that is a URL is requested
    /// itself, unless ``Paging/parameter`` is set.
    case cursor
    /// By the `Link` header with `rel=next`.
    case link
  }
  public var style: Style
  /// The query parameter of the number, offset or cursor; nil for the name of the style.
  public var parameter: String?
  /// The query parameter of ``pageSize``; nil for `page_size`, or for `limit` with offsets.
  public var sizeParameter: String?
  /// The requested number of objects of a page; nil leaves it to the server.
  public var pageSize: Int?
  /// The number of the first page.
  public var firstPage = 1
  /// The key path of the next page's cursor in a response.
  public var cursor: ObjectKeyPath?
  /// The key path of the page number in a response.
  public var pageKey = ObjectKeyPath(key: "page")
  /// The key path of the page size in a response.
  public var pageSizeKey = ObjectKeyPath(key: "page_size")
  /// The key path of the number of pages in a response.
  public var numberOfPagesKey = ObjectKeyPath(key: "number_of_pages")
  /// The key path of the total number of objects in a response.
  public var totalKey = ObjectKeyPath(key: "total_count")

  public init(_ style: Style = .page) { self.style = style }

  /// The key paths that are read from a response in addition to its objects.
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
