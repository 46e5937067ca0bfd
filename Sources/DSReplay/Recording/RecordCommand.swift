package import DSInterpreter
import DataSources
import DataTables

/// `record FILE|off`
package struct RecordCommand: Command {
  package static let verb = "record"
  private static let file = Parameter(
    "FILE|off", .either([.path(.script), .choice(Choices("setting", ["off"]))]))

  package static let names = [verb]
  package static let parameters = [file]
  package static let summary =
    "Records commands and their output as a script with expectations, or ends the recording."
  package static let notes = [
    "Commands before the recording that define what it uses come first. A failed `expect` is left out.",
    "`record off` runs the script twice; text that differs becomes a hole such as {path}.",
    "dsshell test FILE runs it as a test.",
  ]
  package static let examples = ["record letters.ds", "record off"]
  package static let seeAlso = ["source", "expect"]

  let file: Argument

  package init(parsing arguments: inout Arguments) throws {
    file = try arguments.require(Self.file)
  }

  package func run(in session: inout Session) async throws -> CommandResult {
    if file.word == "off" {
      guard let observer = session.execution.observers[Self.verb] else {
        throw Diagnostic(.conflict, "no recording is in progress (record FILE)", at: file.span)
      }
      session.execution.observers[Self.verb] = nil
      return CommandResult(.none, try await observer.finish(session))
    }
    guard session.execution.observers[Self.verb] == nil else {
      throw Diagnostic(.conflict, "a recording is in progress (record off)", at: file.span)
    }
    let name = try await file.string(in: &session)
    let path = FilePath.resolve(name, in: session.options.folder)
    do throws(RecordingError) {
      let recording = try Recording(path, in: session)
      session.options.traceWriter = recording.traceWriter(forwardingTo: session.options.traceWriter)
      session.execution.observers[Self.verb] = recording.observer
    } catch {
      throw Diagnostic(error.kind, error.message, at: file.span)
    }
    let value = Value.string("recording \(name) until `record off`")
    return CommandResult(
      .none, Output(.text(["recording \(name) until `record off`"], data: value)))
  }
}
