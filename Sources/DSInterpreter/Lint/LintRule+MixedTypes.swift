import DataSources
import DataTables

extension LintRule {
  /// Values of several types under a key that is sorted by.
  static let mixedTypes = LintRule { _, snapshot, session in
    guard let arrangement = snapshot.arrangement, let store = snapshot.store.local else {
      return []
    }
    return try arrangement.sort.compactMap { descriptor in
      let column = try store.table.column(
        descriptor.keyPath, cancellation: session.cancellation)
      let types = column.types(in: store.order)
      guard let last = types.last, types.count > 1 else { return nil }
      let list = types.dropLast().map { "\($0)s" }.joined(separator: ", ") + " and \(last)s"
      return "`\(SortDescriptor.labels([descriptor]))` meets \(list), which sort by type; "
        + "one type in the data, or a key that has one, mends it"
    }
  }
}
