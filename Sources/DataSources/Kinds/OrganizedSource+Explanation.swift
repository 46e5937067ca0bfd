public import DataTables

extension OrganizedSource {
  /// That the object was removed here.
  public func absence(
    of object: Value, at path: IndexPath, ofChild child: Int
  ) async throws -> String? {
    guard let store = source.state.snapshot?.store else { return nil }
    let position = (0..<path.section).reduce(path.row) {
      $0 + store.numberOfObjects(in: $1)
    }
    return removed.contains(position) ? "it was removed here; a fetch brings it back" : nil
  }
}
