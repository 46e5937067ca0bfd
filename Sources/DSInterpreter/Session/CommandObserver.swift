/// Receives every typed line and every line of the outermost script, with its results, when the
/// line is done.
///
/// The lines of a script that `source` runs are not reported; their results are reported as those of
/// the command itself.
package struct CommandObserver {
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
    folder: String,
    receive: @escaping (_ event: ExecutionEvent, _ session: Session) async -> Void,
    endCommand: @escaping (_ text: String, _ line: Line?, _ session: Session) async -> Void,
    finish: @escaping (_ session: Session) async throws -> Output
  ) {
    self.folder = folder
    self.receive = receive
    self.endCommand = endCommand
    self.finish = finish
  }
}

// The text of recorded lines.
extension ScriptExecution {
  /// Replaces a part of the running line in its recorded text.
  func replace(_ span: Span, by text: RecordedReplacement.Text) {
    replacements.append(RecordedReplacement(span: span, text: text))
  }

  /// The text of a line that was run, for a script in `folder`.
  func recordedText(of line: Line, in folder: String) -> String {
    var text = ""
    var position = line.span.start
    let script = line.span.script
    let own = replacements.filter {
      $0.span.script === script && $0.span.start >= position && $0.span.end <= line.span.end
    }
    for replacement in own.sorted(by: { $0.span.end < $1.span.end })
    where replacement.span.start >= position {
      switch replacement.text {
      case .source(let name):
        text += script.string(position..<replacement.span.end) + " " + name
      case .path(let path):
        text += script.string(position..<replacement.span.start)
        text += FilePath.written(FilePath.relative(path, to: folder))
      }
      position = replacement.span.end
    }
    return text + script.string(position..<line.span.end)
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
