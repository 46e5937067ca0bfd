import DataSources
import DataTables
import Pictures

/// `events SOURCE [sequence: true] [as: DRAWING FILE]`
struct EventsCommand: Command {
  private static let sequence = Label(
    "sequence", .boolean, "true to draw the sources as lanes over time", example: "true")

  static let names = ["events"]
  static let parameters = [Parameter.source]
  static let labels = [sequence, PictureArgument.label]
  static let synopsis = "events SOURCE [sequence: true] [as: DRAWING FILE]"
  static let summary = "Shows the events of the last fetch, with wrapped sources indented."
  static let notes =
    [
      "The pages that have been read from a database since then are shown where they arrived.",
      "",
      "`sequence: true` draws a lane for each source: it sends its events to the sources that wrap it,",
      "which are its delegates, and the outermost source sends them to the delegate of the app.",
      "",
      "`as:` draws the lanes in another way, for a file:",
    ] + PictureArgument.notes
  static let examples = [
    "events letters", "events letters sequence: true", "events letters as: mermaid",
  ]
  static let seeAlso = ["fetch", "tree"]

  private let source: SourceArgument
  private let sequence: Argument?
  private let drawing: PictureArgument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    sequence = try arguments[Self.sequence]
    drawing = try PictureArgument(parsing: arguments)
    if let sequence, drawing != nil, try !sequence.boolean() {
      throw sequence.error(.badArgument, "`as:` draws the sequence; remove `sequence: false`")
    }
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
    let isSequence = try sequence?.boolean() ?? false
    guard isSequence || drawing != nil else {
      return CommandResult(.value(grid.records), Output(.grid(grid)))
    }
    let picture = EventSequence(of: source, in: session)
      .picture(of: source, session.displayName(of: source))
    if let drawing { return try await drawing.result(of: picture, in: &session) }
    return CommandResult(.value(grid.records), Output(.picture(picture, rows: grid)))
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
