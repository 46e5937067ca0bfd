/// A search of the history for a text that is typed, as Ctrl-R of readline.
struct IncrementalSearch {
  /// Oldest first.
  private let entries: [String]
  private(set) var pattern = ""
  /// The index of the entry that is shown; `entries.count` before one is found.
  private var position: Int
  /// Whether an entry contains the pattern.
  private(set) var isFound = true

  init(_ entries: [String]) {
    self.entries = entries
    position = entries.count
  }

  /// The entry that contains the pattern, and the UTF-8 range of the pattern in it; nil before one is
  /// found.
  var match: (entry: String, range: Range<Int>)? {
    guard position < entries.count else { return nil }
    let entry = entries[position]
    guard let range = entry.firstRange(of: pattern) else { return (entry, 0..<0) }
    let start = entry.utf8.distance(from: entry.startIndex, to: range.lowerBound)
    return (entry, start..<start + pattern.utf8.count)
  }

  /// Searches for a pattern, from the entry that is shown towards earlier ones.
  mutating func search(for pattern: String) {
    self.pattern = pattern
    guard !pattern.isEmpty else {
      isFound = true
      return
    }
    find(entries[..<min(position + 1, entries.count)].lastIndex { $0.contains(pattern) })
  }

  /// Searches for the pattern from the newest entry on.
  mutating func restart(for pattern: String) {
    position = entries.count
    search(for: pattern)
  }

  mutating func showEarlier() {
    guard !pattern.isEmpty else { return }
    let shown = position < entries.count ? entries[position] : nil
    find(entries[..<position].lastIndex { $0.contains(pattern) && $0 != shown })
  }

  mutating func showLater() {
    guard !pattern.isEmpty, position < entries.count else { return }
    let shown = entries[position]
    find(entries[(position + 1)...].firstIndex { $0.contains(pattern) && $0 != shown })
  }

  private mutating func find(_ found: Int?) {
    isFound = found != nil
    if let found { position = found }
  }
}
