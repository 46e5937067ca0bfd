import DataTables

/// Sections that a content took over from another one, and with them their index titles.
struct SectionIndexPart: Sendable {
  let snapshot: Snapshot
  /// For each section of `snapshot` the section it is here; nil for one that is gone.
  let places: [Int?]

  /// The titles of the index and for each the section it is for, nil for a hidden one.
  func entries() async throws -> (names: [String], places: [Int?]) {
    let (names, places) = try await snapshot.indexEntries()
    return (names, places.map { $0.flatMap { self.places[$0] } })
  }
}

extension Snapshot {
  /// Whether the index shows other titles than those that the sections alone give.
  var hasOwnIndex: Bool {
    indexTitling != .firstCharacter || store.local?.sections.listed != nil || !indexParts.isEmpty
  }

  /// The parts of the index of what takes over the sections of this content.
  ///
  /// They are those of who made the sections, so that no chain of contents is kept.
  /// - Parameter places: for each section the one it is there; nil for one that is gone.
  func indexParts(at places: [Int?]) -> [SectionIndexPart] {
    guard !indexParts.isEmpty else { return [SectionIndexPart(snapshot: self, places: places)] }
    return indexParts.map { part in
      SectionIndexPart(
        snapshot: part.snapshot, places: part.places.map { $0.flatMap { places[$0] } })
    }
  }
}
