import DataSources
import DataTables

/// `events SOURCE`
struct EventsCommand: Command {
  static let names = ["events"]
  static let parameters = [Parameter.source]
  static let summary = "Shows the events of the last fetch, with wrapped sources indented."
  static let notes = [
    "The pages that have been read from a database since then are shown where they arrived."
  ]
  static let examples = ["events letters"]
  static let seeAlso = ["fetch", "tree"]

  private let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let events = source.transcript.map { ($0.time, EventLine($0, in: session)) }
    let pages = source.transcriptPages.map { ($0.read.time, EventLine($0, in: session)) }
    let rows = (events + pages).sorted { $0.0 < $1.0 }.enumerated().map { number, entry in
      Self.row(number + 1, entry.1)
    }
    let grid = Grid(
      columns: Self.columns, rows: rows, hidesHeader: true,
      placeholder: "\(session.displayName(of: source)): no fetch yet")
    return CommandResult(.value(grid.records), Output(.grid(grid)))
  }

  private static let keys = [
    "source", "event", "sections", "objects", "kind", "error", "child", "failures", "from", "to",
  ]

  private static let columns =
    [
      Grid.Column("number"), Grid.Column("source", audience: .people),
      Grid.Column("event", audience: .people), Grid.Column("detail", audience: .people),
    ] + keys.map { Grid.Column($0, audience: .programs) }

  private static func row(_ number: Int, _ line: EventLine) -> [Value] {
    [
      .integer(number), .string(line.indentedSource), .string(line.event), .string(line.detail),
    ] + keys.map { line.record[$0] ?? .null }
  }
}
