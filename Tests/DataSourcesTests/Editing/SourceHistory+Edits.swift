import DataTables
import TestSupport

@testable import DataSources

extension SourceHistory {
  /// A random edit, mostly one that can be made.
  func randomEdit(
    in transaction: EditTransaction? = nil
  ) async throws -> (node: HistoryNode, edit: Edit) {
    let node = random.one(of: nodes)
    let source = node.source
    try? await transaction?.refresh(source)
    let objects = newObjects(1 + random.below(6) / 5)
    guard let path = randomPath(in: source) else {
      return (node, .insert(objects: objects, at: .end))
    }
    switch random.below(9) {
    case 0: return (node, .insert(objects: objects, at: .end))
    case 1, 2: return (node, .insert(objects: objects, at: .path(place(near: path, in: source))))
    case 3: return (node, .remove(paths: [path]))
    case 4: return (node, .remove(paths: randomPaths(in: source, with: path)))
    case 5: return (node, .update(path, randomValues()))
    case 6:
      let paths = randomPaths(in: source, with: path)
      return (
        node,
        .update(
          paths.map { path in
            let values = randomValues()
            return ObjectUpdate(
              path, zip(values.keys, values.values).map { KeyValue(key: $0, $1) })
          })
      )
    default: return (node, .move(path, to: randomPath(in: source) ?? path))
    }
  }

  private func randomValues() -> Record {
    switch random.below(6) {
    case 0: Record([("n", .string(random.one(of: Self.names)))])
    case 1: Record([("tags", [["t": .integer(random.below(3))]])])
    case 2: Record([("d", "2024-03-02"), ("v", .integer(random.below(5)))])
    default: Record([(random.one(of: ["k", "v", "k"]), .integer(random.below(4)))])
    }
  }

  /// An index path, or now and then the end of its section or a place that does not exist.
  private func place(near path: IndexPath, in source: any DataSource) -> IndexPath {
    let count = (try? source.numberOfObjects(inSection: path.section)) ?? 0
    return IndexPath(
      section: path.section, row: random.one(of: [path.row, path.row, count, count + 1]))
  }

  private func randomPaths(in source: any DataSource, with path: IndexPath) -> [IndexPath] {
    let others = (0..<random.below(3)).compactMap { _ in randomPath(in: source) }
    return Array(Set(others + [path])).sorted()
  }

  func randomPath(in source: any DataSource) -> IndexPath? {
    guard source.numberOfSections > 0 else { return nil }
    let section = random.below(source.numberOfSections)
    guard let count = try? source.numberOfObjects(inSection: section), count > 0 else { return nil }
    return IndexPath(section: section, row: random.below(count))
  }
}

/// The ids of the objects that an edit concerns, from before the edit.
struct EditedObjects {
  private static let id = ObjectKeyPath(key: "id")
  private var ids: [Value] = []

  init(_ edit: Edit, in source: any DataSource) async throws {
    guard let content = source.state.snapshot else { return }
    for path in edit.paths where content.has(path) {
      ids.append(Self.id.evaluate(on: try await content.object(at: path)))
    }
  }

  /// Checks that removed objects are gone, unless only elements or copies of them were removed.
  func remaining(
    after edit: Edit, in source: any DataSource, _ before: [[Value]], _ after: [[Value]]
  ) -> [String] {
    guard case .remove = edit,
      !SourceGraph.sources(below: source).contains(where: {
        $0 is UnrolledSource || $0 is OrganizedSource
      })
    else { return [] }
    func count(_ id: Value, in objects: [[Value]]) -> Int {
      objects.joined().count { Self.id.evaluate(on: $0) == id }
    }
    return ids.filter { !$0.isNull && count($0, in: after) >= count($0, in: before) }
      .map { "\($0.json) is not removed" }
  }

  /// Checks that the object of an edit with a place is there.
  func faults(after edit: Edit, in source: any DataSource) async throws -> [String] {
    // A source that does not follow changes, or is above such a source, shows the edit later.
    guard source.error == nil, let target = edit.target, let content = source.state.snapshot,
      source.children.isEmpty ? content.request?.predicate == nil : source.isReachedByEdits
    else { return [] }
    let id: Value
    switch edit {
    case .insert(let objects, _): id = objects.first.map { Self.id.evaluate(on: $0) } ?? .null
    default: id = ids.first ?? .null
    }
    // A move can empty the section before that of the place.
    var targets = [target]
    if case .move(let from, _, _) = edit, from.section < target.section {
      targets.append(IndexPath(section: target.section - 1, row: target.row))
    }
    var found: [Value] = []
    for path in targets where content.has(path) {
      found.append(Self.id.evaluate(on: try await content.object(at: path)))
    }
    if found.isEmpty { return ["nothing is at \(target)"] }
    return found.contains { $0 == id || $0.isNull } ? [] : ["\(found[0].json) is at \(target)"]
  }
}

extension DataSource {
  /// Whether all sources on all ways from those with objects of their own follow edits.
  var isReachedByEdits: Bool {
    SourceGraph.sources(below: self).allSatisfy { $0.children.isEmpty || $0.followsEdits }
  }
}

extension Edit {
  /// The edit in one line.
  var summary: String {
    switch self {
    case .insert(let objects, let place): "insert \(Value.array(objects).json) at \(place)"
    case .remove(let paths): "remove \(paths)"
    case .update(let updates):
      "update "
        + updates.map { update in
          update.values.reduce("\(update.path)") { $0 + " \($1.path): \($1.value.json)" }
        }.joined(separator: ", ")
    case .move(let path, let place, _): "move \(path) to \(place)"
    }
  }
}
