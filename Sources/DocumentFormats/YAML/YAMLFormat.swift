public import DataTables

/// YAML 1.2: a document is one record, or the rows within it; of several documents, each is a row.
public struct YAMLFormat: TableFormat {
  public let names = ["yaml"]
  public let extensions = ["yaml", "yml"]
  public let mediaTypes = [
    "application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml", "+yaml",
  ]
  public let options: [ReadOption] = [.keyPath, .rows, .encoding]
  public let allowsEmptyFile = true

  public init() {}

  public func recognize(_ sample: FormatSample) -> Recognition {
    guard let text = sample.text else { return .impossible }
    if text.starts(with: "%YAML ".utf8) { return .certain }
    return YAMLRecognition.isLikely(SampleLines(sample, comments: "#").lines) ? .likely : .ifNamed
  }

  public func read(_ input: FormatInput) throws -> LoadedTable {
    try input.checkDocumentSize()
    return try input.withText { text in
      var reader = try YAMLReader(
        text, limits: input.options.limits, cancellation: input.cancellation)
      var documents: [LocatedDocument] = []
      while let document = try reader.next() { documents.append(document) }
      return try YAMLDocuments(documents).joined
        .table("YAML", notes: reader.findings.notes, request: input.request)
    }
  }
}
