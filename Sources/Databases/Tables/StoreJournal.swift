import DataSources
import Synchronization

/// The statements that a store sent to the engine, and the numbers of rows that they returned.
final class StoreJournal: Sendable {
  private let state = Mutex(StoreComputation(origin: ""))
  /// Has the rows of statements that were computed before; nil without a cache.
  let cache: FetchCache?

  init(_ cache: FetchCache? = nil) { self.cache = cache }

  func add(_ statement: String, rows: Int) {
    if UnobservedReads.areRunning { return }
    state.withLock { state in
      if state.statements.count < 100 { state.statements.append(statement) }
      state.rowsRead += rows
    }
  }

  func add(_ page: PageRead) {
    if UnobservedReads.areRunning { return }
    state.withLock { state in
      state.pages += 1
      if state.reads.count == StoreComputation.maxReads {
        // Half of them at once, so that the others move seldom.
        state.reads.removeFirst(StoreComputation.maxReads / 2)
      }
      state.reads.append(page)
    }
  }

  func assume(_ assumption: String) {
    state.withLock { state in
      if !state.assumptions.contains(assumption) { state.assumptions.append(assumption) }
    }
  }

  func computation(origin: String) -> StoreComputation {
    var result = state.withLock { $0 }
    result.origin = origin
    return result
  }
}
