/// Who hears of every line that was typed or stands in a script, when it is done, and what came of it;
/// not of those of a script that `source` runs.
package struct CommandWitness {
  /// The folder that relative paths in the texts it hears are taken from.
  package let folder: String
  /// Takes what a line told, also what the lines of a script told that it ran.
  package let hear: (_ event: Interpreter.Event, _ session: Session) async -> Void
  /// Takes the line itself when it told all, as it can be run again elsewhere; without a line when it
  /// does not parse.
  package let end: (_ text: String, _ line: Line?, _ session: Session) async -> Void
  /// Ends it and tells what it came to.
  package let finish: (_ session: Session) async throws -> CommandResult

  package init(
    folder: String,
    hear: @escaping (_ event: Interpreter.Event, _ session: Session) async -> Void,
    end: @escaping (_ text: String, _ line: Line?, _ session: Session) async -> Void,
    finish: @escaping (_ session: Session) async throws -> CommandResult
  ) {
    self.folder = folder
    self.hear = hear
    self.end = end
    self.finish = finish
  }
}

/// What must stand in a line for it to do the same in a script of its own.
struct Amendment {
  enum Text {
    /// The name of the source that was taken because none was given.
    case source(String)
    /// A file, as it was found.
    case path(String)
  }
  let span: Span
  let text: Text
}

extension Session {
  /// The text of a line that was run, for a script in `folder`.
  func text(of line: Line, in folder: String) -> String {
    var text = ""
    var position = line.span.start
    let script = line.span.script
    let amendments = amendments.filter {
      $0.span.script === script && $0.span.start >= position && $0.span.end <= line.span.end
    }
    for amendment in amendments.sorted(by: { $0.span.end < $1.span.end })
    where amendment.span.start >= position {
      switch amendment.text {
      case .source(let name):
        text += script.string(position..<amendment.span.end) + " " + name
      case .path(let path):
        text += script.string(position..<amendment.span.start)
        text += FilePath.written(FilePath.relative(path, to: folder))
      }
      position = amendment.span.end
    }
    return text + script.string(position..<line.span.end)
  }
}
