import DataSources
import DataTables

/// `rejects SOURCE`
struct RejectsCommand: Command {
  static let names = ["rejects"]
  static let parameters = [Parameter.source]
  static let summary =
    "Shows the rejected rows of loaded files and the values that do not fit a requested type."
  static let examples = ["rejects foods"]
  static let seeAlso = ["load", "describe"]

  private let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let name = session.displayName(of: source)
    guard let report = Self.report(of: source, in: session) else {
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

  /// The report of a source; of a wrapper, the rejects of the sources below it.
  private static func report(of source: any DataSource, in session: Session) -> LoadReport? {
    if let report = (source as? any ReadSource)?.report { return report }
    var parts: [(name: String, report: LoadReport)] = []
    var seen: Set<ObjectIdentifier> = []
    var pending: [any DataSource] = source.children.reversed()
    while let next = pending.popLast() {
      guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
      if let report = (next as? any ReadSource)?.report {
        parts.append((session.displayName(of: next), report))
      } else {
        pending += next.children.reversed()
      }
    }
    guard parts.count > 1 else { return parts.first?.report }
    var joined = LoadReport(format: "", rows: 0)
    for (name, part) in parts {
      joined.rejected += part.rejected
      joined.misfits += part.misfits
      joined.rejects += part.rejects.map { reject in
        var reject = reject
        reject.file = reject.file ?? name
        return reject
      }
    }
    return joined
  }

  private static func warning(_ hidden: Int, _ report: LoadReport) -> String {
    report.misfits == 0
      ? "\(hidden.grouped) more rows were rejected"
      : "\(hidden.grouped) more rows and values are not listed"
  }
}
