import DataSources
import DataTables

/// `sectionForIndexTitle SOURCE TITLE at: PLACE`
struct SectionForIndexTitleCommand: Command {
  static let names = ["sectionForIndexTitle", "sectionForSectionIndexTitle"]
  static let synopsis = "sectionForIndexTitle SOURCE TITLE [at: PLACE]"
  static let summary = "Gives the section that an index title leads to."
  static let labels = [
    Label("at", "its place among the index titles, from 0; titles may repeat", example: "2")
  ]
  static let examples = [
    "sectionForIndexTitle letters C at: 2", "sectionForIndexTitle letters G",
  ]
  static let seeAlso = ["indexTitles", "sections", "index"]

  let source: SourceArgument
  let title: Argument
  let place: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    title = try arguments.required("an index title")
    place = try arguments.label("at")
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let snapshot = try session.content(of: source, at: self.source.span)
    let title = try await title.string(in: &session)
    let index = try await snapshot.sectionIndex()
    let section: Int
    do {
      section = try index.section(for: title, at: try place?.natural())
    } catch let error as SourceError {
      let isNowhere = !index.titles.contains(title)
      let name = session.displayName(of: source)
      throw Diagnostic(
        error.kind,
        isNowhere
          ? "\(name) has no index title \(Value.string(title).excerpt)"
          : "\(error.message) of \(name)",
        suggestion: isNowhere ? Suggestion.nearest(to: title, among: index.titles) : nil,
        at: isNowhere ? self.title.span : place?.span ?? self.title.span)
    }
    return CommandResult(.value(.integer(section)), Output(.value(.integer(section))))
  }
}
