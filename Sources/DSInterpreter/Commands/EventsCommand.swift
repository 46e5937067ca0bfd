import DataSources
import DataTables

/// `events SOURCE`
struct EventsCommand: Command {
  static let names = ["events"]
  static let synopsis = "events SOURCE"
  static let summary = "Shows what the delegates heard in the last fetch, inner sources indented."
  static let examples = ["events letters"]
  static let seeAlso = ["fetch", "tree"]

  let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> Answer {
    let source = try await source.source(in: &session)
    let rows = source.transcript.enumerated().map { number, entry in
      Self.row(number + 1, entry, name: session.displayName(of: entry.source), in: session)
    }
    let grid = Grid(
      columns: Self.columns, rows: rows, hidesHeader: true,
      placeholder: "\(session.displayName(of: source)): no fetch yet")
    return Answer(.value(grid.records), Output(.grid(grid)))
  }

  private static let columns = [
    Grid.Column("number"), Grid.Column("source", audience: .people),
    Grid.Column("source", audience: .programs), Grid.Column("event"),
    Grid.Column("detail", audience: .people), Grid.Column("sections", audience: .programs),
    Grid.Column("objects", audience: .programs), Grid.Column("kind", audience: .programs),
    Grid.Column("error", audience: .programs),
  ]

  private static func row(
    _ number: Int, _ entry: TranscriptEntry, name: String, in session: Session
  ) -> [Value] {
    var detail = ""
    var facts: [Value] = [.null, .null, .null, .null]
    switch entry.event {
    case .will, .partial: break
    case .finished:
      detail =
        counted(entry.sections, "section") + ", " + counted(entry.objects, "object")
      facts[0] = .integer(entry.sections)
      facts[1] = .integer(entry.objects)
    case .failed(let error):
      detail = "\(error.kind.rawValue): \(error.message)"
      facts[2] = .string(error.kind.rawValue)
      facts[3] = .string(error.message)
    }
    // Deep wrappings stay within a line.
    let indent = String(repeating: "  ", count: min(entry.depth, 16))
    return [
      .integer(number), .string(indent + name), .string(name), .string(entry.event.name),
      .string(detail),
    ] + facts
  }
}
