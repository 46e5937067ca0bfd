import DataSources
import DataTables
import Pictures

/// `tree SOURCE [as: DRAWING FILE]`
struct TreeCommand: Command {
  static let names = ["tree"]
  static let parameters = [Parameter.source]
  static let labels = [PictureArgument.label]
  static let synopsis = "tree SOURCE [as: DRAWING FILE]"
  static let summary = "Shows the sources that a source wraps, with their settings and sizes."
  static let notes = ["`as:` draws the sources as boxes with arrows:"] + PictureArgument.notes
  static let examples = ["tree letters", "tree letters as: mermaid"]
  static let seeAlso = ["list", "events", "sources"]

  private let source: SourceArgument
  private let drawing: PictureArgument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    drawing = try PictureArgument(parsing: arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let root = try await source.source(in: &session)
    if let drawing {
      return try await drawing.result(of: Self.picture(of: root, in: session), in: &session)
    }
    let rows: [[Value]] = session.tree(of: root).map { node in
      [
        .string(node.lead + node.name), .string(node.name), .integer(node.depth),
        .string(type(of: node.source).kind),
        .string(node.isRepeated ? "as above" : node.source.summary),
        .string(session.sizes(of: node.source)), .integer(node.source.numberOfSections),
        .integer(node.source.numberOfObjects),
      ]
    }
    let grid = Grid(columns: Self.columns, rows: rows, hidesHeader: true)
    var output = Output(.grid(grid))
    if session.options.addsPictures { output.drawing = Self.picture(of: root, in: session) }
    return CommandResult(.value(grid.records), output)
  }

  /// A box for each source, and arrows from a wrapper to the sources that it wraps.
  private static func picture(of root: any DataSource, in session: Session) -> Picture {
    var numbers = [ObjectIdentifier(root): 0]
    var sources: [any DataSource] = [root]
    var arrows: [Picture.Arrow] = []
    var next = 0
    while next < sources.count {
      for child in sources[next].children {
        let known = numbers[ObjectIdentifier(child)]
        if known == nil {
          numbers[ObjectIdentifier(child)] = sources.count
          sources.append(child)
        }
        arrows.append(Picture.Arrow(from: next, to: known ?? sources.count - 1))
      }
      next += 1
    }
    let boxes = sources.map { source in
      Picture.Box([session.displayName(of: source), source.summary, session.sizes(of: source)])
    }
    return Picture("tree of \(session.displayName(of: root))", .boxes(boxes, arrows: arrows))
  }

  private static let columns = [
    Grid.Column("source", audience: .people), Grid.Column("source", audience: .programs),
    Grid.Column("depth", audience: .programs), Grid.Column("kind", audience: .programs),
    Grid.Column("summary"), Grid.Column("state", audience: .people),
    Grid.Column("sections", audience: .programs), Grid.Column("objects", audience: .programs),
  ]
}
