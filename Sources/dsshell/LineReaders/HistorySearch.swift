/// Steps through the history entries that begin with the current line.
struct HistorySearch {
  /// Oldest first.
  var entries: [String]
  /// The line before the first step; matching entries begin with it.
  private var prefix = ""
  /// Index of the shown entry; `entries.count` for the typed line.
  private var position = 0
  private var shown: String?

  init(_ entries: [String]) { self.entries = entries }

  /// The matching entry before the one shown in `line`; nil without an earlier match.
  mutating func previous(from line: String) -> String? {
    startSearch(with: line)
    guard
      let found = entries[..<position].lastIndex(where: { $0.hasPrefix(prefix) && $0 != line })
    else { return nil }
    return show(found)
  }

  /// The matching entry after the one shown in `line`, or the typed line after the last entry; nil if
  /// the typed line is already shown.
  mutating func next(from line: String) -> String? {
    startSearch(with: line)
    guard position < entries.count else { return nil }
    let rest = entries[(position + 1)...]
    return show(rest.firstIndex { $0.hasPrefix(prefix) && $0 != line } ?? entries.count)
  }

  /// Starts a new search if the line was changed since the last step.
  private mutating func startSearch(with line: String) {
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
