import DataTables

/// Tables of HTML documents: the largest one, or the one with a number.
struct HTMLFormat: TableFormat {
  let names = ["html"]
  let extensions = ["html", "htm", "xhtml"]
  let mediaTypes = ["text/html", "application/xhtml+xml"]
  let options: [ReadOption] =
    [.table, .header, .keys] + ReadOption.cellTypes + [.encoding, .strict]

  func recognize(_ sample: FormatSample) -> Recognition {
    let start = MarkupStart(sample)
    return start.isHTML ? .certain : start.isPossible ? .ifNamed : .impossible
  }

  func read(_ input: FormatInput) throws -> LoadedTable {
    var reader = HTMLReader(bytes: input.bytes)
    if let table = input.options[.table] {
      guard case .integer(let number) = table, number >= 1 else {
        throw TableError.badArgument("`table:` must be the number of a table, from 1")
      }
      reader.table = number
    }
    reader.hasHeader = input.options.hasHeader
    reader.keys = input.options.keys
    reader.encoding = input.options.encoding
    reader.limits = input.options.limits
    reader.cancellation = input.cancellation
    do {
      return try reader.read().table(named: "HTML", input)
    } catch let error as TableError where error == HTMLReader.noTable {
      let isXML = try input.options.format == nil && MarkupStart(input.sample()).isDeclared
      throw isXML
        ? .format("\(error.message); add `format: xml` to read its elements", at: nil) : error
    }
  }
}
