package import DataTables

extension DataSource {
  /// Checks the invariants that every source has after a fetch or an edit, and returns the
  /// violations; empty during a fetch.
  ///
  /// - The changes between the last two contents turn the old one into the new one.
  /// - An object is found at its index path, or at an earlier one that has an equal object. A
  ///   sample of fewer than 200 objects is checked.
  /// - The counts of objects, sections and titles agree.
  /// - The events that this source and each source below it reported have the order that
  ///   ``SourceEvent`` describes.
  /// - Parameter limit: all objects are read, and the changes are checked, only if neither content
  ///   has more objects than this. Index paths are checked up to about 20 times this number.
  /// - Complexity: O(rows) within `limit`: all objects of both contents are read.
  /// - Throws: ``SourceError`` when a content cannot be read, such as one whose file has changed.
  package func brokenInvariants(
    readingAtMost limit: Int = .max, cancellation: Cancellation = Cancellation()
  ) async throws -> [String] {
    guard !isFetching else { return [] }
    var broken = brokenEvents()
    guard let new = state.snapshot else { return broken }
    let largest = max(new.numberOfObjects, state.previous?.numberOfObjects ?? 0)
    broken += try await new.brokenCounts(readsAll: largest <= limit)
    if largest / 20 <= limit { broken += try await new.brokenIndexPaths() }
    guard broken.isEmpty, largest <= limit, let old = state.previous else { return broken }
    let changes = try await changes(RequestContext(cancellation: cancellation))
    let after = try await new.sectionedObjects()
    do {
      let applied = try await old.sectionedObjects().applying(changes, from: after, id: id)
      if applied != after { broken.append("the changes do not produce the new content") }
    } catch let fault as ChangeError {
      broken.append("changes: \(fault)")
    }
    return broken
  }

  private func brokenEvents() -> [String] {
    var logs = SourceGraph.sources(below: self).map { (source: $0, events: [SourceEvent]()) }
    let entries = state.eventLog?.entries ?? []
    // Access the entries by index: a copy of an entry would copy its weak reference.
    for index in entries.indices {
      guard let source = entries[index].source.source,
        let log = logs.firstIndex(where: { $0.source === source })
      else { continue }
      logs[log].events.append(entries[index].event)
    }
    return logs.filter { !$0.events.isEmpty && !Self.isLegal($0.events) }.map { source, events in
      let names = events.map(\.name).joined(separator: " ")
      return "\(type(of: source).kind) `\(source.name)` reported \(names)"
    }
  }

  private static func isLegal(_ events: [SourceEvent]) -> Bool {
    guard events.count > 1, case .will = events[0] else { return false }
    let parts = events[1..<events.count - 1]
    switch events[events.count - 1] {
    case .finished: if parts.count == 1, case .changes? = parts.first { return true }
    case .failed: break
    default: return false
    }
    return parts.allSatisfy { if case .partial = $0 { true } else { false } }
  }
}

extension Snapshot {
  fileprivate func brokenCounts(readsAll: Bool) async throws -> [String] {
    var broken: [String] = []
    let counts = try (0..<numberOfSections).map { try numberOfObjects(in: $0) }
    if counts.reduce(0, +) != numberOfObjects {
      broken.append(
        "the sections have \(counts.reduce(0, +)) objects, the source has \(numberOfObjects)")
    }
    let titles = try await titles().count
    if titles != numberOfSections {
      broken.append("\(numberOfSections) sections have \(titles) titles")
    }
    guard readsAll else { return broken }
    var read = [Int](repeating: 0, count: numberOfSections)
    for try await batch in batches() { read[batch.start.section] += batch.objects.count }
    if read != counts { broken.append("the sections return more or fewer objects than they count") }
    return broken
  }

  /// Checks the index paths of a sample of objects, spread over the whole content.
  fileprivate func brokenIndexPaths() async throws -> [String] {
    var broken: [String] = []
    let step = max(1, numberOfObjects / 100)
    var position = 0
    var next = 0
    for section in 0..<numberOfSections {
      let count = try numberOfObjects(in: section)
      while next < position + count {
        let path = IndexPath(section: section, row: next - position)
        let object = try await object(at: path)
        let found = try await indexPath(of: object)
        if found == path {
          next += step
          continue
        }
        guard let found, found < path, try await self.object(at: found) == object else {
          broken.append("indexPath does not find the object at [\(path.section), \(path.row)]")
          return broken
        }
        next += step
      }
      position += count
    }
    return broken
  }

  fileprivate func sectionedObjects() async throws -> SectionedObjects {
    var sections = try await titles().map { SectionedObjects.Section(title: $0, objects: []) }
    for try await batch in batches() {
      sections[batch.start.section].objects += batch.objects
    }
    return SectionedObjects(sections)
  }
}
