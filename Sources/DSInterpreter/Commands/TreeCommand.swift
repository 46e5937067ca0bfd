import DataSources
import DataTables

/// `tree SOURCE`
struct TreeCommand: Command {
  static let names = ["tree"]
  static let parameters = [Parameter.source]
  static let summary = "Shows the sources that a source wraps, with their settings and sizes."
  static let examples = ["tree letters"]
  static let seeAlso = ["list", "events", "sources"]

  private let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let root = try await source.source(in: &session)
    var rows: [[Value]] = []
    var seen: Set<ObjectIdentifier> = []
    // A stack instead of recursion, because a script can nest sources to any depth.
    var open: [(source: any DataSource, lead: String, branch: String, depth: Int)] = [
      (root, "", "", 0)
    ]
    while let (source, lead, branch, depth) = open.popLast() {
      let isNew = seen.insert(ObjectIdentifier(source)).inserted
      let name = session.displayName(of: source)
      let state = source.state.snapshot.map { session.counts(of: $0.store) } ?? "not fetched"
      rows.append([
        .string(lead + branch + name), .string(name), .integer(depth),
        .string(type(of: source).kind), .string(isNew ? source.summary : "as above"),
        .string(state), .integer(source.numberOfSections), .integer(source.numberOfObjects),
      ])
      guard isNew else { continue }
      let inner = branch.isEmpty ? "" : lead + (branch == "└ " ? "  " : "│ ")
      for (index, child) in source.children.enumerated().reversed() {
        open.append((child, inner, index == source.children.count - 1 ? "└ " : "├ ", depth + 1))
      }
    }
    let grid = Grid(columns: Self.columns, rows: rows, hidesHeader: true)
    return CommandResult(.value(grid.records), Output(.grid(grid)))
  }

  private static let columns = [
    Grid.Column("source", audience: .people), Grid.Column("source", audience: .programs),
    Grid.Column("depth", audience: .programs), Grid.Column("kind", audience: .programs),
    Grid.Column("summary"), Grid.Column("state", audience: .people),
    Grid.Column("sections", audience: .programs), Grid.Column("objects", audience: .programs),
  ]
}
