import DataTables

/// The rows of a table that were not shown, with the number of those before them.
enum OutputRest: Sendable {
  case values([Value], shown: Int)
  // Indirect, because the case is large.
  indirect case grid(Grid, shown: Int)
  indirect case objects(ObjectListing)

  /// The output of the remaining rows.
  var content: Output.Content {
    switch self {
    case .values(let values, let shown): return .list(Array(values.dropFirst(shown)))
    case .grid(var grid, let shown):
      grid.rows = Array(grid.rows.dropFirst(shown))
      return .grid(grid)
    case .objects(let listing): return .objects(listing)
    }
  }
}

extension Output {
  /// Whether `more` refers to this output from now on.
  var isTable: Bool {
    switch content {
    case .list, .grid, .objects, .value(.array): true
    default: false
    }
  }

  /// - Parameter limit: the maximum number of rows that are shown at once; nil for all.
  /// - Returns: nil if all rows are shown.
  func rest(limit: Int?) -> OutputRest? {
    switch content {
    case .objects(let listing):
      return listing.excerpt(limit: limit).rest.map { .objects($0) }
    case .list(let values), .value(.array(let values)):
      guard let limit, values.count > limit else { return nil }
      return .values(values, shown: limit)
    case .grid(let grid):
      guard let limit, grid.rows.count > limit else { return nil }
      return .grid(grid, shown: limit)
    default: return nil
    }
  }
}
