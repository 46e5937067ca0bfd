import DSRendering
import DataTables
import DisplayText

/// A value as a page shows it, on one line: its text, and what distinguishes it from others.
struct ShownValue {
  private(set) var text: String
  /// `n` for a number, `0` for null, `+` for a text that is shortened.
  private var marks = ""

  /// - Parameters:
  ///   - value: nil for an object without the key.
  ///   - limit: the most characters.
  init(_ value: Value?, limit: Int) {
    guard let value else {
      text = ""
      marks = "-"
      return
    }
    if case .string(let string) = value, string.utf8.count > limit {
      // Shortened first: escaping takes time for the whole string.
      let head = string.prefix(limit)
      text = Value.string(String(head)).text()
      if head.endIndex < string.endIndex { marks = "+" }
    } else {
      text = value.text(limit: limit)
    }
    if text.utf8.count > limit {
      let head = text.prefix(limit)
      if head.endIndex < text.endIndex {
        text = String(head)
        marks = "+"
      }
    }
    if marks == "+" { text += "…" }
    if value.isNull { marks += "0" }
    if value.isNumber { marks += "n" }
  }

  /// The text alone if nothing distinguishes it.
  var json: Value {
    marks.isEmpty ? .string(text) : .array([.string(text), .string(marks)])
  }
}
