public import DataTables

/// Where an object of a wrapper stands below it.
public struct ObjectOrigin: Hashable, Sendable {
  /// The place of the source among ``DataSource/children``.
  public let child: Int
  public let path: IndexPath

  public init(child: Int, path: IndexPath) {
    self.child = child
    self.path = path
  }
}

extension DataSource {
  /// The place below of the same row: for kinds that order and cut the rows of what they wrap.
  /// - Complexity: O(rows of the child), O(1) when it is in the order of its table.
  public func origin(of path: IndexPath, in snapshot: Snapshot) -> ObjectOrigin? {
    guard let store = snapshot.store.local, let row = try? store.row(at: path) else { return nil }
    for (index, child) in children.enumerated() {
      guard let below = child.state.snapshot?.store.local, below.table === store.table,
        let position = below.order.position(of: row)
      else { continue }
      return ObjectOrigin(child: index, path: below.indexPath(ofPosition: position))
    }
    return nil
  }
}

extension RowOrder {
  /// The first position at which a row stands; nil when it does not.
  fileprivate func position(of row: Int) -> Int? {
    switch self {
    case .natural(let count): row < count ? row : nil
    case .rows(let rows): rows.firstIndex { Int($0) == row }
    }
  }
}
