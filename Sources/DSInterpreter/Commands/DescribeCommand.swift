import DataSources
import DataTables

/// `describe SOURCE`
struct DescribeCommand: Command {
  static let names = ["describe"]
  static let synopsis = "describe SOURCE"
  static let summary =
    "Tells of every key its type, nulls, distinct values, least and greatest, and the evidence."
  static let examples = ["describe foods"]
  static let seeAlso = ["load", "rejects"]

  let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> Answer {
    let source = try await source.source(in: &session)
    let snapshot = try session.content(of: source, at: self.source.span)
    let columns = ["key", "type", "nulls", "distinct", "least", "greatest"].map { Grid.Column($0) }
    var grid = Grid(columns: columns + [Grid.Column("evidence", audience: .programs)], rows: [])
    guard let table = snapshot.store.local?.table else {
      throw Diagnostic(
        .badArgument, "describe needs all rows at hand; load or fetch them first",
        at: self.source.span)
    }
    let report = (source as? SimpleSource)?.report
    var evidence: [String] = []
    for key in table.keys {
      let summary = try table.summary(
        of: ObjectKeyPath(key: key), cancellation: session.cancellation)
      let column = try table.report(on: key, cancellation: session.cancellation)
      let why = column.evidence ?? report?.columns.first { $0.key == key }?.evidence
      if let why { evidence.append("\(key): \(why)") }
      grid.rows.append([
        .string(key), .string(column.type.rawValue), .integer(summary.nulls),
        .integer(summary.distinct), summary.least ?? .null, summary.greatest ?? .null,
        why.map(Value.string) ?? .null,
      ])
    }
    if let simple = source as? SimpleSource, let report {
      let name = session.displayName(of: source)
      evidence += LoadSummary(simple, name: name).rows(report).map(\.text)
    }
    let rows = grid.rows.map { row in
      Value.record(Record(zip(grid.columns.map(\.key), row)))
    }
    return Answer(.value(.array(rows)), Output(.grid(grid), warnings: evidence))
  }
}
