import DataTables
import TestSupport

@testable import DataSources

/// A random history of sources: edits, transactions, undo and redo, fetches, settings, and faults of
/// files and servers.
final class SourceHistory {
  var random: SplitMix64
  private(set) var owners: [HistoryOwner] = []
  private(set) var nodes: [HistoryNode] = []
  private var nextID = 0
  /// The last step in words.
  var last = ""
  /// The number of edits that were made.
  var made = 0
  /// The objects of the owners before and after each edit.
  var states: [ObjectIdentifier: EditState] = [:]

  struct EditState {
    // Keeps its identifier unique.
    let group: EditGroup
    let before: [[Value]]
    let after: [[Value]]
  }

  /// The effect of a step that checks need to know.
  struct Effect {
    var isEdit = false
    /// Whether an object was shown again, which changes no content.
    var isRefresh = false
    var fetched: [any DataSource] = []
    var faults: [String] = []
  }

  init(seed: UInt64) async throws {
    random = SplitMix64(seed: seed)
    let kinds: [HistoryOwner.Kind] =
      [.array, .array]
      + (0..<random.below(3)).map { _ in
        random.one(of: HistoryOwner.Kind.allCases)
      }
    for (index, kind) in kinds.enumerated() {
      let objects = newObjects(random.below(6), isFlat: kind == .csv)
      let owner = try await HistoryOwner(kind, objects, name: "\(kind)\(index)")
      owners.append(owner)
      nodes.append(HistoryNode(owner.source))
    }
    // Without an `id`, equal objects are the same.
    if random.below(4) == 0 { for owner in owners { owner.source.id = nil } }
    for _ in 0..<5 + random.below(4) { try addWrapper() }
    for node in nodes {
      let source = node.source
      if random.below(5) > 0 { try? await source.fetchData() }
      let faults = try await check(Effect(fetched: SourceGraph.sources(below: source)))
      guard faults.isEmpty else { throw InitialFaults(faults: faults + [graph]) }
    }
  }

  /// The faults after the first fetches, then the sources.
  struct InitialFaults: Error {
    let faults: [String]
  }

  func newObjects(_ count: Int, isFlat: Bool = false) -> [Value] {
    (0..<count).map { _ in
      // Some objects have the id of another one.
      if random.below(20) > 0 || nextID == 0 { nextID += 1 }
      return Self.object(nextID, isFlat: isFlat, &random)
    }
  }

  private static func object(_ id: Int, isFlat: Bool, _ random: inout SplitMix64) -> Value {
    var fields: [(String, Value)] = [
      ("id", .integer(id)), ("k", random.below(8) == 0 ? .null : .integer(random.below(3))),
      ("v", .integer(random.below(5))), ("n", .string(random.one(of: names))),
      ("d", .string(random.one(of: ["2024-01-05", "2024-01-30", "2024-03-01", "2025-01-05"]))),
    ]
    if !isFlat {
      let tags = (0..<random.below(3)).map { _ in
        Value.record(Record([("t", .integer(random.below(3)))]))
      }
      fields.append(("tags", .array(tags)))
    }
    return .record(Record(fields))
  }

  static let names = ["ant", "bee", "Éclair", "7up", "bat", ""]

  private static let maxDepth = 4

  func addWrapper() throws {
    let below = nodes.filter { $0.depth < Self.maxDepth }
    let settings = try WrapperSettings(random.one(of: WrapperSettings.Kind.allCases), &random)
    let count = settings.kind == .multi ? random.below(4) : 1
    // Rather the newest sources, for wrappers over wrappers.
    let children = (0..<count).map { _ in
      random.below(2) == 0 ? random.one(of: below) : random.one(of: below.suffix(3))
    }
    let source = try settings.make(over: children.map(\.source))
    source.name = "w\(nodes.count)"
    if source is FetchedResultsSource { source.state.isWatched = random.below(3) > 0 }
    let depth = (children.map(\.depth).max() ?? 0) + 1
    nodes.append(HistoryNode(source, settings, depth: depth))
  }

  var objects: [[Value]] {
    get async throws {
      var objects: [[Value]] = []
      for owner in owners { objects.append(try await owner.objects) }
      return objects
    }
  }

  /// The sources with their children, their errors and whether they have content.
  var graph: String {
    nodes.map { node in
      let children = node.source.children.map(\.name).joined(separator: ", ")
      let content =
        node.source.state.snapshot.map { "\($0.numberOfObjects) objects" } ?? "no content"
      let error = node.source.error.map { ", error: \($0)" } ?? ""
      return "  \(node.source.name) [\(children)] \(node.source.summary): \(content)\(error)"
    }.joined(separator: "\n")
  }

  // MARK: Steps

  /// Makes a step and returns what it broke.
  func step() async throws -> [String] {
    try await check(try await makeStep(try await objects))
  }

  /// Checks all sources after a step.
  private func check(_ effect: Effect) async throws -> [String] {
    let ended = Set(
      nodes.filter { $0.views.endedRounds > 0 }.map { ObjectIdentifier($0.source) })
    let fetched = Set(effect.fetched.map { ObjectIdentifier($0) })
    var faults = effect.faults
    for node in nodes {
      var own: [String] = []
      do {
        own += try await node.views.update(from: node.source, isEdit: effect.isEdit)
        if !effect.isRefresh { own += node.record(ended: ended, fetched: fetched) }
        own += try await node.source.brokenInvariants()
        own += try await node.differences()
      } catch {
        own.append("cannot be checked: \(error)")
      }
      faults += own.map { "\(node.source.name) (\(node.source.summary)) \($0)" }
    }
    return faults
  }
}
