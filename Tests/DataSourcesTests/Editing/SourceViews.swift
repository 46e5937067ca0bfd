import DataTables
import TestSupport

@testable import DataSources

/// The views that follow a source: a table view that performs staged batches, another one that moves
/// sections, and a diffable snapshot.
final class SourceViews: DataSourceDelegate {
  private var events: [SourceEvent] = []
  private var content: SectionedObjects?
  private var table = TableViewModel(SectionedObjects([SectionedObjects.Section]()))
  private var movingTable = TableViewModel(SectionedObjects([SectionedObjects.Section]()))
  /// The identifiers of the snapshot.
  private var id: ObjectKeyPath?
  private var snapshot: DiffableSnapshotModel?

  func dataSource(_ source: any DataSource, did event: SourceEvent) { events.append(event) }

  /// The number of fetches and edits that have ended since the last update.
  var endedRounds: Int {
    events.count { event in
      switch event {
      case .finished, .failed: true
      default: false
      }
    }
  }

  /// Performs the changes since the last update.
  ///
  /// - Parameter isEdit: whether the source reported an edit.
  /// - Returns: what is wrong with the events, the changes or the views.
  func update(from source: any DataSource, isEdit: Bool) async throws -> [String] {
    defer { events = [] }
    let new = try await source.shown
    let old = content
    content = new
    if let fault = fault(isEdit: isEdit, hasChanged: old != new, source) { return [fault] }
    guard let new else { return [] }
    guard let old else {
      id = source.id
      table = TableViewModel(new)
      movingTable = table
      snapshot = try DiffableSnapshotModel(new, id: id)
      return []
    }
    guard case .finished? = events.last else {
      return old == new ? [] : ["has other content without an event"]
    }
    let newID = (try await source.changesHaveID) ? source.id : nil
    if id != newID {
      // Its columns are others now, or its objects those of another source.
      id = newID
      snapshot = try DiffableSnapshotModel(old, id: id)
    }
    let changes = try await source.changes()
    let moving = try await source.changes(movesSections: true)
    do {
      try snapshot?.apply(changes, from: old, to: new, id: id)
    } catch {
      return ["a diffable snapshot refuses \(Self.text(of: changes)): \(error)"]
    }
    guard try snapshot == DiffableSnapshotModel(new, id: id) else {
      return [
        "a diffable snapshot has other items after \(Self.text(of: changes)): \(old.text), \(new.text)"
      ]
    }
    return Self.faults(of: changes, &table, from: old, to: new)
      + Self.faults(of: moving, &movingTable, from: old, to: new)
  }

  private func fault(isEdit: Bool, hasChanged: Bool, _ source: any DataSource) -> String? {
    if events.isEmpty { return nil }
    let names = events.map(\.name)
    let parts = Array(names.dropFirst().dropLast())
    let expected: [String] =
      if !isEdit || names.last == "failed" {
        parts.filter { $0 == "partial" }
      } else {
        hasChanged || !source.state.refreshes.isEmpty ? ["changes"] : []
      }
    let isLegal =
      names.first == "will" && ["finished", "failed"].contains(names.last) && expected == parts
    return isLegal ? nil : "reports \(names.joined(separator: " "))"
  }

  private static func text(of changes: [Change]) -> String {
    changes.map { "\($0.name) \($0.from ?? []) \($0.to ?? [])" }.joined(separator: ", ")
  }

  /// Performs changes in batches and, as far as a table view accepts them, at once.
  private static func faults(
    of changes: [Change], _ table: inout TableViewModel, from old: SectionedObjects,
    to new: SectionedObjects
  ) -> [String] {
    let batches = changes.batches()
    guard batches.haveOperations(of: changes) else { return ["the batches have other operations"] }
    do {
      for batch in batches { try table.perform(batch, from: new) }
    } catch {
      return ["a table view refuses the batches of \(text(of: changes)): \(error)"]
    }
    if table.content != new {
      return ["a table view has other rows after \(text(of: changes)): \(old.text), \(new.text)"]
    }
    var whole = TableViewModel(old)
    let isAccepted: Bool
    do {
      try whole.perform(changes.map { StagedChange(change: $0, whole: $0) }, from: new)
      isAccepted = whole.content == new
    } catch {
      isAccepted = false
    }
    return isAccepted == (batches.count < 2)
      ? [] : ["\(text(of: changes)) are \(batches.count) batches"]
  }
}

extension DataSource {
  /// Whether an object of the last two contents has the `id`; true without objects.
  fileprivate var changesHaveID: Bool {
    get async throws {
      guard let id, let old = state.previous, let new = state.snapshot else { return true }
      let sections = try await old.shown.sections + new.shown.sections
      let objects = sections.flatMap(\.objects)
      return objects.isEmpty || objects.contains { !id.evaluate(on: $0).isNull }
    }
  }

  /// The titles and the objects of all sections; nil before the first fetch.
  var shown: SectionedObjects? {
    get async throws {
      guard let snapshot = state.snapshot else { return nil }
      return try await snapshot.shown
    }
  }
}

extension Snapshot {
  var shown: SectionedObjects {
    get async throws {
      var sections: [SectionedObjects.Section] = []
      for (section, title) in try await titles().enumerated() {
        sections.append(
          SectionedObjects.Section(title: title, objects: try await objects(in: section)))
      }
      return SectionedObjects(sections)
    }
  }
}
