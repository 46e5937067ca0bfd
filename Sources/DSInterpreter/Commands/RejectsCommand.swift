import DataSources
import DataTables

/// `rejects SOURCE`
struct RejectsCommand: Command {
  static let names = ["rejects"]
  static let parameters = [Parameter.source]
  static let summary =
    "Shows the rejected rows of a loaded file and the values that do not fit a requested type."
  static let examples = ["rejects foods"]
  static let seeAlso = ["load", "describe"]

  private let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let name = session.displayName(of: source)
    guard let report = (source as? any ReadSource)?.report else {
      throw Diagnostic(
        .badArgument,
        "\(name) was not read from a file or a response; only such sources have rejected rows",
        at: self.source.span)
    }
    let hasFiles = report.rejects.contains { $0.file != nil }
    let hasKeys = report.rejects.contains { $0.key != nil }
    let columns =
      ((hasFiles ? ["file"] : []) + ["line", "column"]).map { Grid.Column($0) }
      + [Grid.Column("key", audience: hasKeys ? .all : .programs)]
      + ["reason", "text"].map { Grid.Column($0) }
    let rows: [[Value]] = report.rejects.map {
      (hasFiles ? [.string($0.file ?? "")] : []) + [
        .integer($0.line), .integer($0.column), $0.key.map(Value.string) ?? .null,
        .string($0.reason), .string($0.text),
      ]
    }
    let grid = Grid(columns: columns, rows: rows, placeholder: "\(name): no rows rejected")
    let hidden = report.rejected + report.misfits - rows.count
    return CommandResult(
      .value(grid.records),
      Output(
        .grid(grid),
        warnings: hidden > 0 ? [Self.warning(hidden, report)] : []))
  }
  private static func warning(_ hidden: Int, _ report: LoadReport) -> String {
    report.misfits == 0
      ? "\(hidden.grouped) more rows were rejected"
      : "\(hidden.grouped) more rows and values are not listed"
  }
}
