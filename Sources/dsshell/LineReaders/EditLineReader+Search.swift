import CEdit
import DSInterpreter
import Glibc

// The search of the history that Ctrl-R starts.
extension EditLineReader {
  /// Shows the entries that contain what is typed. Ctrl-R shows an earlier one, Ctrl-S a later one,
  /// Ctrl-G ends the search; any other control key ends it too, with the entry in the line, and has
  /// its own effect.
  func searchEntries() -> UInt8 {
    guard let original = line else { return UInt8(CC_ERROR) }
    var found = IncrementalSearch(search.entries)
    while true {
      let key = nextScalar { display.draw(Self.content(of: found, in: original.text)) }
      guard case .scalar(let scalar) = key else { return UInt8(CC_EOF) }
      switch scalar {
      case "\u{12}": found.showEarlier()
      case "\u{13}": found.showLater()
      case "\u{08}", "\u{7F}": found.restart(for: String(found.pattern.dropLast()))
      case "\u{07}": return UInt8(CC_REFRESH)
      case "\u{20}"...: found.search(for: found.pattern + String(scalar))
      default:
        if let entry = found.match?.entry { replaceLine(with: entry, cursor: entry.utf8.count) }
        // A single Escape has no effect of its own.
        if scalar != "\u{1B}" || !input.bytes.isEmpty { input.putBack(scalar) }
        return UInt8(CC_REFRESH)
      }
    }
  }

  private static func content(of search: IncrementalSearch, in line: String) -> LineContent {
    let lead = search.isFound ? "search" : "not found"
    var content = LineContent(
      prompt: "\(lead) `\(search.pattern)`: ", nextPrompt: LinePrompt.next.rawValue, text: line,
      cursor: line.utf8.count)
    guard let match = search.match else { return content }
    content.text = match.entry
    content.cursor = match.range.lowerBound
    return content
  }
}
