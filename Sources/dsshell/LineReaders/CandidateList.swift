import DSInterpreter
import DSRendering
import DisplayText

/// Completion candidates with their descriptions in columns, each filled from top to bottom.
struct CandidateList {
  private let candidates: [Completions.Candidate]
  private let width: Int
  private static let maximumShown = 200

  init(_ candidates: [Completions.Candidate], width: Int) {
    self.candidates = candidates
    self.width = max(width, 1)
  }

  var text: String {
    let shown = cells
    let column = (shown.map(\.displayWidth).max() ?? 0) + 2
    let columns = max(1, width / column)
    let rows = (shown.count + columns - 1) / columns
    var text = ""
    for row in 0..<rows {
      var line = ""
      for index in stride(from: row, to: shown.count, by: rows) {
        let padding = index + rows < shown.count ? column - shown[index].displayWidth : 0
        line += shown[index] + String(repeating: " ", count: padding)
      }
      text += line + "\n"
    }
    let hidden = candidates.count - shown.count
    return text + (hidden > 0 ? "… \(hidden) more\n" : "")
  }

  /// The candidates that are shown, each with its description; the descriptions are aligned.
  private var cells: [String] {
    let shown = candidates.prefix(Self.maximumShown)
    let texts = shown.map { $0.text.escapingControls() }
    let column = (texts.map(\.displayWidth).max() ?? 0) + 2
    return zip(shown, texts).map { candidate, text in
      guard let description = candidate.description?.escapingControls(),
        column + description.displayWidth <= width
      else { return text }
      return text + String(repeating: " ", count: column - text.displayWidth) + description
    }
  }

  static func commonPrefix(_ words: [String]) -> String {
    guard var common = words.first.map({ Array($0) }) else { return "" }
    for word in words.dropFirst() {
      let same = zip(common, word).prefix { $0 == $1 }.count
      common.removeLast(common.count - same)
    }
    return String(common)
  }
}
