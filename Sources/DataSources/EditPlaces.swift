import DataTables

// The place of an object after an edit.
extension DataSource {
  /// The row of an owner's table that is shown at an index path; nil if another source owns it.
  func row(at path: IndexPath, of owner: any EditableSource) async throws -> Int? {
    var source: any DataSource = self
    var path = path
    while source !== owner {
      guard try source.content.has(path),
        let origin = try await source.origins(of: [path], in: source.content)[0]
      else { return nil }
      source = source.children[origin.child]
      path = origin.path
    }
    return try source.content.store.local?.row(at: path)
  }

  /// Why an object is not shown where it was placed.
  var reasonAgainstPlacing: String {
    let sources = SourceGraph.sources(below: self)
    let isFrozen = sources.contains { !$0.children.isEmpty && !$0.followsEdits }
    // Its index paths may be older than other edits.
    let hint = isFrozen ? "; if the data below was edited since the last fetch, `fetch` first" : ""
    let sorted = sources.lazy.compactMap { $0.state.snapshot?.request?.sort }.first { !$0.isEmpty }
    guard let sorted else {
      return "the object would be shown elsewhere; edit the source below" + hint
    }
    let sort = sorted.map(\.description).joined(separator: ", ")
    return "the sort (\(sort)) decides where the object goes; change its values instead" + hint
  }
}

extension Snapshot {
  /// - Throws: ``SourceError``, `outOfRange` for an index path without an object.
  func check(_ path: IndexPath) async throws {
    let count = try numberOfObjects(in: path.section)
    guard path.row < 0 || path.row >= count else { return }
    throw SourceError.rowOutOfRange(path, rows: count, title: try await title(of: path.section))
  }

  /// Whether there is an object at an index path.
  func has(_ path: IndexPath) -> Bool {
    guard path.section >= 0, path.section < numberOfSections, path.row >= 0 else { return false }
    return path.row < store.numberOfObjects(in: path.section)
  }
}

extension SourceError {
  static var fetchUnderWay: SourceError { .conflict("a fetch is under way") }

  package static var outdatedObject: SourceError {
    .conflict("the object differs from the one in the source below; fetch first")
  }
}
