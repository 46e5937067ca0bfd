import DataSources
import DataTables

/// `sections SOURCE`
struct SectionsCommand: Command {
  static let names = ["sections"]
  static let synopsis = "sections SOURCE"
  static let summary = "Shows the sections of a source with their titles, index titles and sizes."
  static let examples = ["sections letters"]
  static let seeAlso = ["titles", "indexTitles", "show", "fetch"]

  let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> Answer {
    let source = try await source.source(in: &session)
    _ = try session.content(of: source, at: self.source.span)
    let sections = try await SourceProperty.sections(source)
    let rows = sections.map { section -> [Value] in
      if case .record(let record) = section { record.values } else { [] }
    }
    let grid = Grid(
      columns: [
        Grid.Column("section"), Grid.Column("title"), Grid.Column("index", key: "indexTitle"),
        Grid.Column("objects", key: "count"),
      ], rows: rows)
    return Answer(.value(.array(sections)), Output(.grid(grid)))
  }
}
