import DataSources
import DataTables

/// `source FILE`
struct SourceCommand: Command {
  static let names = ["source"]
  static let synopsis = "source FILE"
  static let summary = "Runs a script in this session; its paths are taken from its own folder."
  static let examples = ["source foods.ds"]
  static let seeAlso = ["expect"]

  /// Scripts that run each other end somewhere.
  static let deepest = 32

  let path: Argument

  init(parsing arguments: inout Arguments) throws {
    path = try arguments.required("a script")
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let file = session.resolve(try await path.string(in: &session), at: path)
    guard session.scriptDepth < Self.deepest else {
      throw path.error(.limit, "scripts run each other more than \(Self.deepest) levels deep")
    }
    do {
      var answer = CommandResult()
      answer.script = ScriptText(
        try TextFile.read(file, cancellation: session.cancellation), file: file)
      return answer
    } catch {
      throw path.error(error.kind, error.message)
    }
  }
}
