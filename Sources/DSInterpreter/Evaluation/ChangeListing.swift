import DataSources
import DataTables

/// The changes that `diff` lists, as lines or as batches.
struct ChangeListing {
  /// Whether people see the name of the content to which each change leads.
  var showsOrigins = false
  private let options: ChangeOptions
  private var lines: [String] = []
  private var rows: [[Value]] = []
  private var batches: [Value] = []

  private static let origin = "source"

  init(_ options: ChangeOptions) { self.options = options }

  var isEmpty: Bool { rows.isEmpty && batches.isEmpty }

  /// - Parameter origin: the name of the content to which the changes lead; nil where all lead to the
  ///   same one.
  mutating func add(
    _ changes: [Change], from old: Snapshot, to new: Snapshot, of origin: String? = nil
  ) async throws {
    guard options.isStaged else {
      let origin = origin.map { [Value.string($0)] } ?? []
      rows += try await ChangeLines(changes, from: old, to: new).rows.map { origin + $0 }
      return
    }
    let batches = changes.batches()
    for (index, batch) in batches.enumerated() {
      let prefix = showsOrigins ? origin.map { "\($0)  " } ?? "" : ""
      lines.append("\(prefix)batch \(index + 1) of \(batches.count)")
      lines += try await ChangeLines(batch, from: old, to: new).lines.map { "  \($0)" }
      self.batches += batch.map { $0.change.record(inBatch: index + 1, of: origin) }
    }
  }

  var result: CommandResult {
    if options.isStaged {
      return CommandResult(
        .value(.array(batches)), Output(.text(lines, data: .array(batches))))
    }
    let grid = Grid(columns: columns, rows: rows, hidesHeader: true)
    return CommandResult(.value(grid.records), Output(.grid(grid)))
  }

  private var columns: [Grid.Column] {
    let changes = [
      Grid.Column("change", audience: .people), Grid.Column("object", audience: .people),
      Grid.Column("change", audience: .programs), Grid.Column("from", audience: .programs),
      Grid.Column("to", audience: .programs),
    ]
    guard let row = rows.first, row.count > changes.count else { return changes }
    return [Grid.Column(Self.origin, audience: showsOrigins ? .all : .programs)] + changes
  }
}
