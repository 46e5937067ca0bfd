import DataSources
import DataTables

/// Explains why a source does not show an object: names the source below that has the object and
/// the source that hides it, or reports that no source has it.
struct AbsenceReport {
  private let object: Value
  private let source: any DataSource

  /// - Parameter object: a record matches all objects that have its values.
  init(of object: Value, in source: any DataSource) {
    self.object = object
    self.source = source
  }

  func report(in session: Session) async throws -> Report {
    var notes: [Report.Note] = []
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(source)]
    var open = [source]
    var found: Value = .null
    // Visits the sources that do not show the object, outermost first. A loop instead of recursion,
    // because a script can nest sources to any depth.
    while let current = open.popLast() {
      if current.children.isEmpty {
        notes.append(
          Report.Note(
            subject: session.displayName(of: current), text: try await whyMissing(in: current)))
      }
      for (index, child) in current.children.enumerated().reversed() {
        guard seen.insert(ObjectIdentifier(child)).inserted else { continue }
        guard let path = try await child.state.snapshot?.firstIndexPath(matching: object) else {
          open.append(child)
          continue
        }
        let reason = try await whyHidden(by: current, child: index, path, in: session)
        notes.append(Report.Note(subject: session.displayName(of: current), text: reason))
        let level = try await session.level(of: child, path)
        let levels = [level] + (try await session.levels(below: child, path))
        notes += levels.flatMap(\.notes)
        found = .array(levels.map(\.value))
      }
    }
    let name = session.displayName(of: source)
    return Report(
      headline: "\(name) does not show \(object.excerpt)", notes: notes,
      data: Record([
        ("source", .string(name)), ("path", .null), ("object", object),
        (
          "lines",
          .array(notes.map { ExplanationLine($0.subject ?? "", $0.text).value })
        ),
        ("below", found),
      ]))
  }

  /// The reason why `current` does not show an object of its child.
  private func whyHidden(
    by current: any DataSource, child index: Int, _ path: IndexPath, in session: Session
  ) async throws -> String {
    let child = current.children[index]
    guard current.state.snapshot != nil else { return "has not been fetched" }
    if let error = current.error {
      return "shows its old content, as its last fetch failed: \(error.message)"
    }
    let object = try await child.object(at: path)
    if let reason = try await current.absence(of: object, at: path, ofChild: index) {
      return "hides it: \(reason)"
    }
    return "did not get it from \(session.displayName(of: child)) in its last fetch"
  }

  /// The reason why a source without children does not show the object, such as a value that
  /// none of its objects has.
  private func whyMissing(in source: any DataSource) async throws -> String {
    guard let snapshot = source.state.snapshot else { return "has not been fetched" }
    if let reason = try (source as? SimpleSource)?.absence(ofLike: object) {
      return "hides it: \(reason)"
    }
    let count = counted(snapshot.numberOfObjects, "object")
    guard case .record(let values) = object, values.count > 0 else {
      return "none of its \(count) is equal to it"
    }
    var lacking: [String] = []
    for (key, value) in zip(values.keys, values.values) {
      if try await snapshot.indexPath(matching: Record([(key, value)])) != nil { continue }
      let isKnown = snapshot.keys.contains(key) || value.isNull
      let near = Suggestion.nearest(to: key, among: snapshot.keys)
      let hint = near.map { "; did you mean `\($0)`?" } ?? ""
      lacking.append(isKnown ? "none has \(key) \(value.json)" : "none has a key `\(key)`\(hint)")
    }
    if lacking.isEmpty { lacking = ["it has each value, but no object has all of them"] }
    return "of its \(count) " + lacking.joined(separator: ", ")
  }
}
