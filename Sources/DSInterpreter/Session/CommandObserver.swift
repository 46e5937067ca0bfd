/// Receives every line that is typed or is in the outermost script, with its results, once it is done.
///
/// The lines of a script that `source` runs are not reported, but their results are: as results of the
/// `source` command.
package struct CommandObserver {
  /// The folder that relative paths in reported lines start from.
  package let folder: String
  /// Receives a result of the running line, or of a script that it runs.
  package let receive: (_ event: ExecutionEvent, _ session: Session) async -> Void
  /// Receives the line itself after its last result, in a form that can be run elsewhere; the line is
  /// nil when it does not parse.
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
