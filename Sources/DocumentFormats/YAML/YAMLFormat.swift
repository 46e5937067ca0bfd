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
  public let writing: FormatWriting? = FormatWriting(nestsSections: true) { layout, _ in
    YAMLWriter(layout)
  }

  public init() {}

  public func recognize(_ sample: FormatSample) -> Recognition {
    guard let text = sample.text else { return .impossible }
    if text.starts(with: "%YAML ".utf8) { return .certain }
    let isLikely =
      YAMLRecognition.isLikely(SampleLines(sample, comments: "#").lines)
      && Self.parses(text, isWhole: sample.isWhole)
    return isLikely ? .likely : .ifNamed
  }

  /// Whether the text, up to its last line that is not indented if it is cut, is YAML. Prose with
  /// some colons and lists mostly is not.
  private static func parses(_ text: [UInt8], isWhole: Bool) -> Bool {
    var end = text.count
    if !isWhole {
      let starts = text.indices.dropFirst().filter { text[$0 - 1] == 0x0A && text[$0] > 0x20 }
      guard let last = starts.last else { return false }
      end = last
    }
    do {
      var reader = try YAMLReader(
        MemoryBytes(Array(text[..<end])), limits: ReadLimits(), cancellation: Cancellation())
      while try reader.next() != nil {}
      // Paragraphs with the same keys, as in the log of apt, would lose all but the last.
      return reader.findings.duplicates.count == 0
    } catch {
      return false
    }
  }

  public func read(_ input: FormatInput) throws -> LoadedTable {
    try input.checkDocumentSize()
    return try input.withText { text in
      var reader = try YAMLReader(
        text, limits: input.options.limits, cancellation: input.cancellation)
      var documents: [LocatedDocument] = []
      while let document = try reader.next() { documents.append(document) }
      var loaded = try YAMLDocuments(documents).joined
        .table("YAML", notes: reader.findings.notes, request: input.request)
      if documents.count > 1 { loaded.report.rowsAreWhole = false }
      return loaded
    }
  }
}
