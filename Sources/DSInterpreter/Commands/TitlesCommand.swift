import DataSources
import DataTables

/// `titles SOURCE`
struct TitlesCommand: Command {
  static let names = ["titles", "sectionTitles"]
  static let synopsis = "titles SOURCE"
  static let summary = "Gives the titles of the sections."
  static let examples = ["titles letters"]
  static let seeAlso = ["sections", "indexTitles"]

  let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let titles = try await source.source(in: &session).sectionTitles()
    return CommandResult(.value(.array(titles)), Output(.list(titles)))
  }
}
