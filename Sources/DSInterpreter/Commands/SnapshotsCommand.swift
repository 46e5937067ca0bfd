import DataSources
import DataTables

/// `snapshots SOURCE`
struct SnapshotsCommand: Command {
  static let names = ["snapshots"]
  static let parameters = [Parameter.source]
  static let summary = "Lists the contents of the last fetches and edits of a source."
  static let notes = [
    "Each content has a number that it keeps, the verb that made it, its time in GMT, and the number",
    "of changes from the content before it. `back` shows a content again, `diff from:` compares two.",
    "An edit that changes no object of the source adds no content.",
    "",
    "The last 10 contents are kept; of many millions of objects, fewer. They share their objects and",
    "are not copied. Contents that a database still holds are kept only while they are the last two,",
    "and their changes are not counted.",
  ]
  static let examples = [
    "insert foods {name: Fig, kind: fruit}; snapshots letters",
    "remove foods [0, 0]; undo foods; snapshots foods",
  ]
  static let seeAlso = ["back", "diff", "undo", "events"]

  private let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    _ = try session.content(of: source, at: self.source.span)
    var rows: [[Value]] = []
    var previous: KeptContent?
    for content in source.keptContents {
      var changes: ChangeCounts?
      if let old = previous {
        changes = try await ChangeCounts(from: old, to: content, of: source, session.requestContext)
      }
      let isShown = content.number == source.contentNumber
      rows.append(Self.row(content, changes, isShown: isShown, marks: source.showsEarlierContent))
      previous = content
    }
    let grid = Grid(columns: Self.columns(of: source), rows: rows)
    return CommandResult(.value(grid.records), Output(.grid(grid)))
  }

  private static func columns(of source: any DataSource) -> [Grid.Column] {
    // Usually the last one is shown.
    let mark = source.showsEarlierContent ? [Grid.Column("shown", audience: .people)] : []
    return [
      Grid.Column("number"), Grid.Column("cause"), Grid.Column("time", audience: .people),
      Grid.Column("time", audience: .programs), Grid.Column("sections"),
      Grid.Column("objects"), Grid.Column("changes", audience: .people),
    ] + mark + ChangeCounts.keys.map { Grid.Column($0, audience: .programs) }
      + [Grid.Column("shown", audience: .programs)]
  }

  /// - Parameter marks: whether people see which content is shown.
  private static func row(
    _ content: KeptContent, _ changes: ChangeCounts?, isShown: Bool, marks: Bool
  ) -> [Value] {
    let store = content.snapshot.store
    let date = Timestamp(secondsFromGMT: content.date, nanoseconds: 0)
    // `14:05:09`
    let time = date.text.drop { $0 != "T" }.dropFirst().prefix(8)
    return [
      .integer(content.number), .string(content.cause.rawValue), .string(String(time)), .date(date),
      .integer(store.numberOfSections), .integer(store.numberOfObjects),
      .string(changes?.phrase ?? ""),
    ] + (marks ? [isShown ? "here" : ""] : [])
      + (changes?.values ?? ChangeCounts.keys.map { _ in .null }) + [.bool(isShown)]
  }
}
