import DataTables

/// XML 1.0: the elements with a name or path are the rows, by default those of the repeated
/// element.
struct XMLFormat: TableFormat {
  let names = ["xml"]
  let extensions = ["xml"]
  let mediaTypes = ["application/xml", "text/xml", "+xml"]
  let options: [ReadOption] = [.rows] + ReadOption.cellTypes + [.encoding, .strict]

  func recognize(_ sample: FormatSample) -> Recognition {
    let start = MarkupStart(sample)
    guard start.root != nil, Self.format(of: sample) == nil else {
      return start.isPossible ? .ifNamed : .impossible
    }
    return start.isDeclared || start.hasDocumentType || start.isMarkup
      ? .certain : start.isPossible ? .ifNamed : .impossible
  }

  func read(_ input: FormatInput) throws -> LoadedTable {
    let rows = input.options[.rows]?.string
    // Servers send all of these as XML.
    if rows == nil, let format = Self.format(of: try input.sample()) {
      do {
        return try format.read(input)
      } catch let error as TableError where error == HTMLReader.noTable {
        // XHTML, whose elements can be rows.
      }
    }
    var reader = XMLReader(bytes: input.bytes)
    reader.rows = rows
    reader.encoding = input.options.encoding
    reader.limits = input.options.limits
    reader.cancellation = input.cancellation
    return try reader.read().table(named: "XML", input)
  }

  /// Formats for some kinds of XML documents.
  private static let others: [any TableFormat] = [
    FeedFormat(), HTMLFormat(), PropertyListFormat(),
  ]

  private static func format(of sample: FormatSample) -> (any TableFormat)? {
    others.first { $0.recognize(sample) == .certain }
  }
}
