public import DataTables

/// How the pages of a collection are requested, and where a response describes them.
public struct Paging: Hashable, Sendable {
  public enum Style: String, Sendable, CaseIterable {
    /// By number: `?page=2`.
    case page
    /// By the number of preceding objects: `?offset=20`.
    case offset
    /// By the value at ``Paging/cursor`` in the page before. A value that is a URL, or begins with
    /// `/` or `?`, is the address of the next page, relative to that of the page before, unless
    /// ``Paging/parameter`` is set.
    case cursor
    /// By the value at ``Paging/afterKey`` of the last object of the page before: `?after=83`.
    case after
    /// By the `Link` header with `rel=next`.
    case link
    /// By the `Range` header: `Range: items=20-39`, of ``Paging/pageSize`` objects.
    case range
  }
  public var style: Style
  /// The parameter of the number, offset or cursor; nil for the name of the style. With ranges, it is
  /// the unit; nil for `items`. In a request with an object in its body, parameters are members of the
  /// object, with a path of keys as their name: `variables.after`.
  public var parameter: String?
  /// The parameter of ``pageSize``; nil for `page_size`, or for `limit` with offsets.
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
  /// The key path of the number of pages in a response; without it, the header `X-Total-Pages`.
  public var numberOfPagesKey = ObjectKeyPath(key: "number_of_pages")
  /// The key path of the total number of objects in a response; without it, the header
  /// `X-Total-Count` or `X-Total`.
  public var totalKey = ObjectKeyPath(key: "total_count")
  /// The key path in the last object of a page by which the next page is requested.
  public var afterKey: ObjectKeyPath?
  /// The key path of a Boolean in a response that is false on the last page.
  public var moreKey = ObjectKeyPath(key: "has_more")
  /// The maximum number of pages without objects that follow each other.
  public var maxEmptyPages = 100

  public init(_ style: Style = .page) { self.style = style }

  /// The key paths that are read from a response in addition to its objects.
  var extraValues: [ObjectKeyPath] {
    [pageKey, pageSizeKey, numberOfPagesKey, totalKey, moreKey] + (cursor.map { [$0] } ?? [])
  }

  var parameterName: String { parameter ?? (style == .range ? "items" : style.rawValue) }
  var sizeParameterName: String {
    sizeParameter ?? (style == .offset ? "limit" : "page_size")
  }

  /// `pages of 20 by page`, `by cursor next`
  var summary: String {
    let size = pageSize.map { "pages of \($0) " } ?? ""
    switch style {
    case .page, .offset: return size + "by \(parameterName)"
    case .cursor: return size + "by cursor \(cursor?.description ?? "")"
    case .after: return size + "after the last \(afterKey?.description ?? "")"
    case .range: return size + "by ranges of \(parameterName)"
    case .link: return size + "by links"
    }
  }
}
