import DataSources
import DataTables

/// `describe SOURCE`
struct DescribeCommand: Command {
  static let names = ["describe"]
  static let parameters = [Parameter.source]
  static let summary =
    "Shows each key with its type, nulls, distinct, least and greatest values, and evidence."
  static let examples = ["describe foods"]
  static let seeAlso = ["load", "rejects"]

  /// The maximum size in bytes of the columns that one pass decodes, at 8 bytes for each value.
  private static let maxMemory = 512 << 20
  private static let maxKeysPerPass = 64
  /// The maximum number of passes over the file, unless memory limits a pass.
  private static let maxPasses = 8

  private let source: SourceArgument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let snapshot = try session.content(of: source, at: self.source.span)
    let read = source as? any ReadSource
    let loadEvidence = Dictionary(
      (read?.report?.columns ?? []).map { ($0.key, $0.evidence) },
      uniquingKeysWith: { first, _ in first })
    let keys = snapshot.keys
    var rows: [[Value]] = []
    let table = snapshot.store.local?.table
    let keysPerPass = Self.keysPerPass(
      rows: table?.count ?? snapshot.numberOfObjects, keys: keys.count)
    for start in stride(from: 0, to: keys.count, by: keysPerPass) {
      let group = keys[start..<min(start + keysPerPass, keys.count)]
      let paths = group.map { ObjectKeyPath(key: $0) }
      try table?.decode(paths, cancellation: session.cancellation)
      for key in group {
        let evidence = loadEvidence[key] ?? nil
        rows.append(try await row(key, of: snapshot, evidence: evidence, session.requestContext))
      }
      // Columns are released only if memory limits a pass; otherwise they stay decoded for later
      // commands.
      if keysPerPass < min(keys.count, Self.maxKeysPerPass) { table?.release(paths) }
    }
    let isPlain = rows.allSatisfy { $0.last == "" }
    let columns =
      ["key", "type", "nulls", "distinct", "least", "greatest"].map { Grid.Column($0) }
      + [Grid.Column("evidence", audience: isPlain ? .programs : .all)]
    let grid = Grid(columns: columns, rows: rows)
    let notes = read.map { LoadSummary($0, name: session.displayName(of: source)).rowNotes } ?? []
    let outdated = session.note(onOutdatedContentOf: source)
    let warnings =
      notes.map(\.text) + (outdated.map { ["\(session.displayName(of: source)) is \($0)"] } ?? [])
    return CommandResult(.value(grid.records), Output(.grid(grid), warnings: warnings))
  }

  /// The number of keys that one pass over the file decodes. Each pass reads all of the file, so wide
  /// files need more keys in a pass.
  static func keysPerPass(rows: Int, keys: Int) -> Int {
    let wanted = max(maxKeysPerPass, (keys + maxPasses - 1) / maxPasses)
    return max(1, min(wanted, maxMemory / (max(1, rows) * MemoryLayout<UInt64>.size)))
  }

  private func row(
    _ key: String, of snapshot: Snapshot, evidence: String?, _ context: RequestContext
  ) async throws -> [Value] {
    let summary = try await snapshot.summary(of: ObjectKeyPath(key: key), context)
    let column = try await snapshot.store.report(on: key, context)
    return [
      .string(key), .string(column.declaredType ?? column.type.rawValue), .integer(summary.nulls),
      .integer(summary.distinct), summary.least ?? .null, summary.greatest ?? .null,
      .string(column.evidence ?? evidence ?? column.hint ?? ""),
    ]
  }
}
