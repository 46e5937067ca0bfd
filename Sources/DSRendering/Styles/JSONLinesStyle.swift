public import DSInterpreter
internal import DataTables
internal import DisplayText

/// One JSON value per line for every row, element or object.
public struct JSONLinesStyle: DataStyle {
  public static let name = "jsonl"
  public static let summary = "one JSON value a line for every row"
  public static let isComplete = true
  public init() {}

  public func safeForTerminal(_ text: String) -> String { text.escapingControlsInJSON() }

  public func render(
    _ output: Output, for terminal: TerminalTraits, write: (String) throws -> Void
  ) async throws {
    switch output.content {
    case .none: break
    case .value(let value), .object(let value): try write(lines([value]))
    case .list(let values): try write(lines(values))
    case .report(let report): try write(lines([.record(report.data)]))
    case .grid(let grid), .picture(_, rows: let grid, _):
      try write(lines(grid.records.map(Value.record)))
    case .objects(let listing):
      let reader = ListingReader(listing.excerpt(limit: nil))
      try await reader.forEachPart { index, _, title in
        try await reader.forEachBatch(ofPart: index) { batch in
          try write(lines(listing.showsIndexPaths ? batch.records(title: title) : batch.objects))
        }
      }
    case .text(_, .array(let elements)): try write(lines(elements))
    case .text(_, let data): try write(lines([data]))
    }
  }

  private func lines(_ values: [Value]) -> String { values.map { $0.json + "\n" }.joined() }

  public func render(_ diagnostic: Diagnostic, for terminal: TerminalTraits) -> String {
    JSONStyle().render(diagnostic, for: terminal)
  }

  public func render(trace: EventLine, for terminal: TerminalTraits) -> String {
    JSONStyle().render(trace: trace, for: terminal)
  }

  public func render(warning: String, for terminal: TerminalTraits) -> String {
    JSONStyle().render(warning: warning, for: terminal)
  }
}

extension SectionRows {
  /// `{"section":0,"row":1,"title":"A","object":{…}}`
  fileprivate func records(title: Value) -> [Value] {
    let shape = Record.Shape(["section", "row", "title", "object"])
    return objects.enumerated().map { position, object in
      .record(
        Record(
          shape: shape, values: [.integer(section), .integer(firstRow + position), title, object]))
    }
  }
}
