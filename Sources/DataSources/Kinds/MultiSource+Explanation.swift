public import DataTables

extension MultiSource {
  public func explanation(
    of path: IndexPath, in snapshot: Snapshot
  ) async throws -> [ExplanationLine] {
    guard let origin = origin(of: path, in: snapshot) else { return [] }
    let whole = hasPreservedSections ? "section \(origin.path.section)" : "all objects"
    return [
      ExplanationLine(
        "section \(path.section)",
        "\(whole) of source \(origin.child + 1) of \(children.count)")
    ]
  }

  /// The place of the object at a path, in the child it comes from.
  public func origin(of path: IndexPath, in snapshot: Snapshot) -> ObjectOrigin? {
    let stores = children.map { $0.state.snapshot?.store }
    guard hasPreservedSections else {
      guard children.indices.contains(path.section),
        let place = stores[path.section]?.indexPath(ofPosition: path.row)
      else { return nil }
      return ObjectOrigin(child: path.section, path: place)
    }
    var section = path.section
    for (child, store) in stores.enumerated() {
      let count = store?.numberOfSections ?? 0
      if section < count {
        return ObjectOrigin(child: child, path: IndexPath(section: section, row: path.row))
      }
      section -= count
    }
    return nil
  }
}
