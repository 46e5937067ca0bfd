import DataSources
import DataTables

/// `source FILE`
struct SourceCommand: Command {
  private static let file = Parameter(.path(.script))

  static let names = ["source"]
  static let parameters = [file]
  static let summary =
    "Runs a script as if its commands stood here; relative paths start in the script's folder."
  static let examples = ["source foods.ds"]
  static let seeAlso = ["expect"]
  static let waits = true

  private let path: Argument

  init(parsing arguments: inout Arguments) throws {
    path = try arguments.require(Self.file)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let file = session.resolve(try await path.string(in: &session), at: path)
    guard session.execution.depth < Parser.maxIncludeDepth else {
      throw path.error(.limit, "scripts are nested more than \(Parser.maxIncludeDepth) levels deep")
    }
    do {
      var result = CommandResult()
      result.script = ScriptText(
        try TextFile.read(file, cancellation: session.cancellation), file: file)
      return result
    } catch {
      throw path.error(error.kind, error.message)
    }
  }
}
