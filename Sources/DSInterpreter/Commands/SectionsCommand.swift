import DataSources
import DataTables

/// `sections SOURCE`
struct SectionsCommand: Command {
  static let names = ["sections"]
  static let synopsis = "sections SOURCE [with: OPERATORS] [order: CRITERIA]"
  static let summary = "Shows the sections of a source with their titles, index titles and sizes."
  static let labels = SectionColumns.labels
  static let examples = [
    "sections letters", "sections letters with: @min.name, @max.name order: count desc, title",
  ]
  static let seeAlso = ["titles", "indexTitles", "show", "fetch", "keys"]

  let source: SourceArgument
  let columns: SectionColumns

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    columns = SectionColumns(parsing: arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let snapshot = try session.content(of: source, at: self.source.span)
    let sections = try await SourceProperty.sections(source)
    let further = try await columns.columns(of: source, snapshot, in: &session)
    let sequence = try await columns.sequence(of: source, snapshot, in: &session)
    let rows = sequence.map { section -> [Value] in
      guard case .record(let record) = sections[section] else { return [] }
      return record.values + further.map { $0.values[section] }
    }
    let grid = Grid(
      columns: [
        Grid.Column("section"), Grid.Column("title"), Grid.Column("index", key: "indexTitle"),
        Grid.Column("objects", key: "count"),
      ] + further.map { Grid.Column($0.name) }, rows: rows)
    return CommandResult(.value(grid.records), Output(.grid(grid)))
  }
}
