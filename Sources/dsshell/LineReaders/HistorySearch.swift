/// Goes through what was typed before, as far as it begins like the line.
struct HistorySearch {
  /// Oldest first.
  var entries: [String]
  /// What entries have to begin with: the line as it stood before the first step.
  private var prefix = ""
  /// The entry that is shown; one past the last is the line itself.
  private var position = 0
  private var shown: String?

  init(_ entries: [String]) { self.entries = entries }

  /// The entry before the one that `line` shows; nil when none begins alike.
  mutating func previous(from line: String) -> String? {
    begin(with: line)
    guard
      let found = entries[..<position].lastIndex(where: { $0.hasPrefix(prefix) && $0 != line })
    else { return nil }
    return show(found)
  }

  /// The entry after the one that `line` shows, at last the line as it was typed; nil when it
  /// stands there.
  mutating func next(from line: String) -> String? {
    begin(with: line)
    guard position < entries.count else { return nil }
    let rest = entries[(position + 1)...]
    return show(rest.firstIndex { $0.hasPrefix(prefix) && $0 != line } ?? entries.count)
  }

  /// A line that is not the one shown was changed: a new search begins.
  private mutating func begin(with line: String) {
    if line == shown && position <= entries.count { return }
    prefix = line
    position = entries.count
  }

  private mutating func show(_ found: Int) -> String {
    position = found
    let text = found < entries.count ? entries[found] : prefix
    shown = text
    return text
  }
}
