import DataSources
import DataTables

/// `indexTitles SOURCE`
struct IndexTitlesCommand: Command {
  static let names = ["indexTitles", "sectionIndexTitles"]
  static let synopsis = "indexTitles SOURCE"
  static let summary = "Gives what an index beside the list shows, one title a section."
  static let examples = ["indexTitles letters"]
  static let seeAlso = ["sections", "titles", "index"]

  let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let titles = try await source.source(in: &session).sectionIndexTitles().map(Value.string)
    return CommandResult(.value(.array(titles)), Output(.list(titles)))
  }
}
