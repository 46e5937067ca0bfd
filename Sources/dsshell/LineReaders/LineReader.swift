import DSInterpreter

/// A source of lines for the prompt: a terminal with or without line editing, or a test.
protocol LineReader: AnyObject {
  /// Shows `prompt` and waits for a line.
  /// - Parameter complete: returns the candidates at a UTF-8 offset of the line so far.
  func readLine(prompt: String, complete: @escaping (String, Int) -> Completions) -> TypedLine
  /// Adds `entry`, which may have several lines, to the history as the newest entry.
  func remember(_ entry: String)
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
