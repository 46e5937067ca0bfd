public import DataTables

/// YAML 1.2. Each document of a text with several is a row; the elements of a list are rows.
public struct YAMLFormat: TableFormat {
  public let names = ["yaml"]
  public let extensions = ["yaml", "yml"]
  public let mediaTypes = [
    "application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml", "+yaml",
  ]
  public let options: [ReadOption] = [.keyPath, .encoding]

  public init() {}

  public func recognize(_ sample: FormatSample) -> Recognition {
    guard let text = sample.text else { return .impossible }
    if text.starts(with: "%YAML ".utf8) { return .certain }
    return YAMLRecognition.isLikely(SampleLines(sample, comments: "#").lines) ? .likely : .ifNamed
  }

  public func read(_ input: FormatInput) throws -> LoadedTable {
    try input.checkSize()
    return try input.withText { text in
      var reader = try YAMLReader(
        text, limits: input.options.limits, cancellation: input.cancellation)
      var documents: [YAMLReader.Document] = []
      while let document = try reader.next() { documents.append(document) }
      var report = LoadReport(format: "YAML", rows: documents.count)
      report.notes = reader.findings.notes
      return LoadedTable(
        table: ValueTable(documents.map(\.value), lines: documents.map(\.line)), report: report)
    }
  }
}
