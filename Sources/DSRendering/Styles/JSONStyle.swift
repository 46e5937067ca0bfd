public import DSInterpreter
internal import DataTables
internal import DisplayText

/// One JSON value per line for every command.
public struct JSONStyle: Style {
  public static let name = "json"
  public static let summary = "one JSON value a line for every command"
  public static let isComplete = true
  public init() {}

  public func safeForTerminal(_ text: String) -> String { text.escapingControlsInJSON() }

  public func render(
    _ output: Output, for terminal: TerminalTraits, write: (String) throws -> Void
  ) async throws {
    switch output.content {
    case .none: break
    case .value(let value), .object(let value): try write(value.json + "\n")
    case .list(let values): try write(Value.array(values).json + "\n")
    case .report(let report): try write(Value.record(report.data).json + "\n")
    case .grid(let grid), .picture(_, rows: let grid, _):
      try write(Value.array(grid.records.map(Value.record)).json + "\n")
    case .objects(let listing) where listing.showsIndexPaths:
      try await render(sections: listing, write)
    case .objects(let listing):
      var elements = JSONElements()
      try write("[")
      let excerpt = listing.excerpt(limit: nil)
      let reader = ListingReader(excerpt)
      for index in 0..<excerpt.numberOfParts {
        try await reader.forEachBatch(ofPart: index) { try elements.write($0.objects, write) }
      }
      try write("]\n")
    case .text(_, let data): try write(data.json + "\n")
    }
  }

  /// `[{"section":0,"title":"A","objects":[…]},…]`, with `"row":2` before the objects if the first of
  /// them is not the first of the section.
  private func render(
    sections listing: ObjectListing, _ write: (String) throws -> Void
  ) async throws {
    let excerpt = listing.excerpt(limit: nil)
    let reader = ListingReader(excerpt)
    var lead = "["
    try await reader.forEachPart { index, section, title in
      let first = excerpt.part(index).rows.lowerBound
      let row = first == 0 ? "" : ",\"row\":\(first)"
      try write("\(lead){\"section\":\(section),\"title\":\(title.json)\(row),\"objects\":[")
      var elements = JSONElements()
      try await reader.forEachBatch(ofPart: index) { try elements.write($0.objects, write) }
      try write("]}")
      lead = ","
    }
    try write(lead == "[" ? "[]\n" : "]\n")
  }

  public func render(_ diagnostic: Diagnostic, for terminal: TerminalTraits) -> String {
    Value.record(diagnostic.record).json + "\n"
  }

  public func render(trace: EventLine, for terminal: TerminalTraits) -> String {
    Value.record(Record([("trace", .record(trace.record))])).json + "\n"
  }

  public func render(warning: String, for terminal: TerminalTraits) -> String {
    Value.record(Record([("warning", .string(warning))])).json + "\n"
  }
}

/// The elements of an array that is written in batches.
private struct JSONElements {
  private var isFirst = true

  mutating func write(_ values: [Value], _ write: (String) throws -> Void) throws {
    guard !values.isEmpty else { return }
    try write((isFirst ? "" : ",") + values.map(\.json).joined(separator: ","))
    isFirst = false
  }
}

extension Grid {
  /// The rows for programs.
  var records: [Record] {
    let shown = shownColumns(for: .programs)
    let shape = Record.Shape(shown.map { columns[$0].key })
    return rows.map { row in
      Record(shape: shape, values: shown.map { $0 < row.count ? row[$0] : .null })
    }
  }
}
