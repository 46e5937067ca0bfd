import DataTables

/// An answer of fetched results that was kept under the name of a cache, with all it depends on.
struct CachedResults: Sendable {
  let request: FetchRequest
  let table: any Table
  let order: RowOrder
  let snapshot: Snapshot

  /// Whether the same request to the same rows has this answer.
  /// - Complexity: O(rows) at most; O(1) for rows in their natural order.
  func isResult(of request: FetchRequest, in inner: LocalStore) -> Bool {
    guard self.request.hasSameResults(as: request), table === inner.table else { return false }
    switch (order, inner.order) {
    case (.natural(let count), .natural(let other)): return count == other
    case (.rows(let rows), .rows(let others)): return rows == others
    default: return false
    }
  }
}

extension FetchRequest {
  /// Whether two requests to the same rows have the same answer.
  fileprivate func hasSameResults(as other: FetchRequest) -> Bool {
    predicate?.description == other.predicate?.description && sort == other.sort
      && section == other.section && limit == other.limit
  }
}
