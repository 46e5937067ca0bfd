/// Receives every typed line and every line of the outermost script, with its results, when the
/// line is done.
///
/// The lines of a script that `source` runs are not reported; their results are reported as those of
/// the command itself.
package struct CommandObserver {
  /// Identifies it among the observers of a session: `record`.
  package let name: String
  /// The folder that relative paths in reported lines start from.
  package let folder: String
  /// Receives a result of the running line, or of a script that it runs.
  package let receive: (_ event: ExecutionEvent, _ session: Session) async -> Void
  /// Receives the line itself after its last result: `text` in a form that can be run elsewhere,
  /// and `line`, which is nil if the line does not parse.
  package let endCommand: (_ text: String, _ line: Line?, _ session: Session) async -> Void
  /// Ends the recording; returns what `record off` shows.
  package let finish: (_ session: Session) async throws -> Output

  package init(
    name: String, folder: String,
    receive: @escaping (_ event: ExecutionEvent, _ session: Session) async -> Void,
    endCommand: @escaping (_ text: String, _ line: Line?, _ session: Session) async -> Void,
    finish: @escaping (_ session: Session) async throws -> Output = { _ in .none }
  ) {
    self.name = name
    self.folder = folder
    self.receive = receive
    self.endCommand = endCommand
    self.finish = finish
  }
}

/// The observers of a session, at most one of each name.
package struct CommandObservers {
  private var all: [CommandObserver] = []

  package init() {}

  package subscript(name: String) -> CommandObserver? {
    get { all.first { $0.name == name } }
    set {
      all.removeAll { $0.name == name }
      if let newValue { all.append(newValue) }
    }
  }

  func receive(_ event: ExecutionEvent, _ session: Session) async {
    for observer in all { await observer.receive(event, session) }
  }

  /// The text of a line for the folder of each observer.
  func texts(of line: RecordedLine) -> [String] { all.map { line.text(in: $0.folder) } }

  /// - Parameter texts: one for each observer.
  func endCommand(_ texts: [String], _ line: Line?, _ session: Session) async {
    for (observer, text) in zip(all, texts) { await observer.endCommand(text, line, session) }
  }

  func endCommand(_ text: String, _ line: Line?, _ session: Session) async {
    await endCommand(all.map { _ in text }, line, session)
  }
}

// The text of recorded lines.
extension ScriptExecution {
  /// Replaces a part of the running line in its recorded text.
  func replace(_ span: Span, by text: RecordedReplacement.Text) {
    replacements.append(RecordedReplacement(span: span, text: text))
  }
}

/// A part of a line that a recorded script needs in another form.
struct RecordedReplacement {
  enum Text {
    /// The name of the last used source, added after a verb without a source.
    case source(String)
    /// The path of a file, as resolved when the line ran.
    case path(String)
  }
  let span: Span
  let text: Text
}
