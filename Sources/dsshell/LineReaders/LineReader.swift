import DSInterpreter

/// Where the lines of a prompt come from: a terminal with editing, one without, or a test.
protocol LineReader: AnyObject {
  /// Shows `prompt` and waits for a line.
  /// - Parameter complete: what may stand at a UTF-8 offset of the line that is being typed.
  func readLine(prompt: String, complete: @escaping (String, Int) -> Completions) -> TypedLine
  /// Makes `entry`, which may have several lines, the newest of those that can be called back.
  func remember(_ entry: String)
}

/// What came of waiting for a line.
enum TypedLine: Equatable {
  /// Without its line end.
  case text(String)
  /// Ctrl-C, and whether nothing stood in the line.
  case interrupted(isEmpty: Bool)
  /// Ctrl-D, or nobody is there any more.
  case end
}
