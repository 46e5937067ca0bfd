import DSInterpreter

/// A source of lines for the prompt: a terminal with or without line editing, or a test.
protocol LineReader: AnyObject {
  /// Shows a prompt and waits for a line. A reader that edits several lines returns a whole entry.
  func readLine(prompt: LinePrompt, asking assistant: any LineAssistant) -> TypedLine
  /// Erases the prompt and the typed line, to which the cursor returns when the assistant has
  /// handled a change.
  func hideLine()
  /// Adds `entry`, which may have several lines, to the history as the newest entry.
  func remember(_ entry: String)
}

/// The texts before the lines of an entry; they have the same width.
enum LinePrompt: String {
  case first = "ds> "
  case next = "  > "
}

/// The session, as seen by a reader that waits for a line.
protocol LineAssistant: AnyObject {
  /// The candidates at a UTF-8 offset of the line so far.
  func completions(for text: String, at offset: Int) -> Completions
  /// How the line so far is shown, with the cursor at a UTF-8 offset.
  func decoration(of text: String, cursor: Int) -> EntryDecoration
  var observedChanges: ObservedChanges { get }
  /// Reads and shows what has changed.
  func handleChange()
}

/// How a reader learns that a watched file may have changed.
struct ObservedChanges {
  /// Readable after a change.
  var descriptors: [Int32] = []
  /// The time after which a change may have happened in any case; nil for never.
  var interval: Duration?
}

/// The result of waiting for a line.
enum TypedLine: Equatable {
  /// Without its line end.
  case text(String)
  /// Ctrl-C, and whether the line was empty.
  case interrupted(isEmpty: Bool)
  /// Ctrl-D, or the terminal has closed.
  case end
}
