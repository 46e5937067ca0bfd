extension Table {
  /// Whether every row is a record of all of ``keys`` and no others, so that the columns tell all of
  /// it. A table that does not know says no.
  public var hasUniformRows: Bool { false }
}

extension DelimitedTable {
  var hasUniformRows: Bool { true }
}

extension ValueTable {
  /// - Complexity: O(rows).
  public var hasUniformRows: Bool {
    var last: Record.Shape?
    for row in rows {
      guard case .record(let record) = row else { return false }
      if let last, last.storage === record.shape.storage { continue }
      guard record.count == keys.count else { return false }
      last = record.shape
    }
    return true
  }
}
