import DataSources
import Synchronization

/// The pages that were read last.
final class PageCache<Key: Hashable & Sendable, Page: Sendable>: Sendable {
  private struct State {
    var pages: [Key: Page] = [:]
    /// The keys of the pages, the one that was read last at the end.
    var recent: [Key] = []
  }

  private let capacity: Int
  private let state = Mutex(State())

  init(capacity: Int = 64) { self.capacity = capacity }

  func page(_ key: Key) -> Page? {
    state.withLock { state in
      guard let page = state.pages[key] else { return nil }
      if state.recent.last != key {
        state.recent.removeAll { $0 == key }
        state.recent.append(key)
      }
      return page
    }
  }

  func keep(_ page: Page, _ key: Key) {
    if UnobservedReads.areRunning { return }
    state.withLock { state in
      if state.pages.updateValue(page, forKey: key) != nil { state.recent.removeAll { $0 == key } }
      state.recent.append(key)
      if state.recent.count > capacity { state.pages[state.recent.removeFirst()] = nil }
    }
  }
}
