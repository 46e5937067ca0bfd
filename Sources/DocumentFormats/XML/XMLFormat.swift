import DataTables

/// XML 1.0: the elements with a name or path are the rows, by default those of the repeated
/// element.
struct XMLFormat: TableFormat {
  let names = ["xml"]
  let extensions = ["xml"]
  let mediaTypes = ["application/xml", "text/xml", "+xml"]
  let options: [ReadOption] = [.rows, .types, .nulls, .encoding]

  func recognize(_ sample: FormatSample) -> Recognition {
    let start = MarkupStart(sample)
    guard let root = start.root, !start.isHTML, !Self.otherFormats.contains(root) else {
      return .ifNamed
    }
    return start.isDeclared || start.hasDocumentType || start.isMarkup ? .certain : .ifNamed
  }

  /// Root elements of documents that have a format of their own.
  private static let otherFormats: Set<String> = ["rss", "feed", "rdf:RDF", "plist"]

  func read(_ input: FormatInput) throws -> LoadedTable {
    var reader = XMLReader(bytes: input.bytes)
    reader.rows = input.options[.rows]?.text
    reader.encoding = input.options.encoding
    reader.limits = input.options.limits
    reader.cancellation = input.cancellation
    return try reader.read().table(named: "XML", input)
  }
}

extension ReadOption {
  static let rows = ReadOption(
    "rows", .string, "name or path of the elements that are rows", example: "item")
}
