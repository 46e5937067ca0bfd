import DataSources
import DataTables
import Synchronization

/// Computes the content of ``SyntheticStore``s and counts what is read from them.
package final class SyntheticEngine: Sendable {
  /// The parts of a request that the engine answers.
  package enum Ability: String, Sendable, CaseIterable {
    case everything, predicates, sections, nothing
  }

  package struct Counts: Sendable {
    /// The number of objects that were read.
    package var rows = 0
    /// The number of reads of objects.
    package var reads = 0
    /// The greatest number of objects that one read returned.
    package var largestRead = 0
    /// The greatest number of objects that existed after a read.
    package var held = 0
  }

  package let rows: SyntheticRows
  package let ability: Ability
  private let state = Mutex<(counts: Counts, objects: [HeldObject])>((Counts(), []))

  package init(_ rows: SyntheticRows, _ ability: Ability) {
    self.rows = rows
    self.ability = ability
  }

  package var counts: Counts { state.withLock { $0.counts } }

  package func forgetCounts() { state.withLock { $0 = (Counts(), []) } }

  /// An object that was read, as long as a caller holds it.
  private struct HeldObject: Sendable {
    weak let shape: Record.Shape.Storage?
  }

  /// A page of objects, which arrives later.
  func read(_ positions: [Int]) async -> [Value] {
    await Task.yield()
    let objects = positions.map(rows.object(at:))
    state.withLock { state in
      state.counts.rows += objects.count
      state.counts.reads += 1
      state.counts.largestRead = max(state.counts.largestRead, objects.count)
      state.objects.removeAll { $0.shape == nil }
      for case .record(let record) in objects {
        state.objects.append(HeldObject(shape: record.shape.storage))
      }
      state.counts.held = max(state.counts.held, state.objects.count)
    }
    return objects
  }

  /// The content that the engine computes for a store, in its own memory.
  func content(_ store: SyntheticStore) -> LocalStore {
    LocalStore(table: rows.table, order: store.order, sections: store.sections)
  }

  /// The part of a request that the engine answers, nil for none, and the rest with the reasons.
  func split(
    _ request: ContentRequest
  ) -> (own: ContentRequest?, rest: ContentRequest?, reasons: [String]) {
    switch ability {
    case .everything: return (request, nil, [])
    case .nothing: return (nil, request, ["the engine computes nothing"])
    case .predicates:
      guard let predicate = request.predicate else {
        return (nil, request, ["only predicates are computed"])
      }
      var rest = request
      rest.predicate = nil
      if case .kept(let showsEmpty) = request.sections {
        guard !rest.isEmpty else { return (request, nil, []) }
        // The rest decides which sections remain.
        let own = ContentRequest(where: predicate, sections: .kept(showsEmpty: true))
        return (own, rest, ["\(rest) is not computed, showsEmpty \(showsEmpty)"])
      }
      return (
        ContentRequest(where: predicate, sections: .whole), rest, ["\(rest) is not computed"]
      )
    case .sections:
      let isOwn =
        request.predicate == nil && request.distinct == nil && !request.isLimited
        && !request.hasKeptSections
      return isOwn ? (request, nil, []) : (nil, request, ["only sections are computed"])
    }
  }
}

extension ContentRequest {
  /// Whether the objects stay in the sections of the content.
  var hasKeptSections: Bool { if case .kept = sections { true } else { false } }
}
