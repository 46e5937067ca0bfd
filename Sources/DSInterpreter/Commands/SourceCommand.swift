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

  /// The script is read when the command runs.
  static func nameChanges(_ words: [String?]) -> NameChanges { .any }

  /// The maximum nesting depth, which stops scripts that run each other endlessly.
  private static let maxDepth = 32

  private let path: Argument

  init(parsing arguments: inout Arguments) throws {
    path = try arguments.require(Self.file)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let file = session.resolve(try await path.string(in: &session), at: path)
    guard session.execution.depth < Self.maxDepth else {
      throw path.error(.limit, "scripts are nested more than \(Self.maxDepth) levels deep")
    }
    do {
      var result = CommandResult()
      result.following = .included(
        ScriptText(try TextFile.read(file, cancellation: session.cancellation), file: file))
      return result
    } catch {
      throw path.error(error.kind, error.message)
    }
  }
}
