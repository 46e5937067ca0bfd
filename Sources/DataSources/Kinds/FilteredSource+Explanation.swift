public import DataTables

extension FilteredSource {
  public func explanation(
    of path: IndexPath, in snapshot: Snapshot
  ) async throws -> [ExplanationLine] {
    let title = try await snapshot.title(of: path.section)
    let section = title == "" ? "the one section" : "the section titled \(title.json)"
    let line = ExplanationLine("section \(path.section)", "\(section) of what is below")
    return [line] + (try await PlaceExplanation(of: path, in: snapshot)?.lines() ?? [])
  }
}
