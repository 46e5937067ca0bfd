import DataTables

/// Property lists: XML, binary and the older text form of OpenStep.
struct PropertyListFormat: TableFormat {
  let names = ["plist"]
  let extensions = ["plist", "strings"]
  let mediaTypes = ["application/x-plist", "application/x-apple-plist"]
  let options: [ReadOption] = [.keyPath, .rows]

  func recognize(_ sample: FormatSample) -> Recognition {
    let bytes = sample.bytes
    if bytes.starts(with: PropertyListReader.binaryMark) { return .certain }
    if MarkupStart(sample).root == "plist" { return .certain }
    // The text form has no mark.
    let first = (sample.text ?? bytes).first { $0 > UInt8(ascii: " ") }
    return first.map { Self.starts.contains($0) } ?? false ? .ifNamed : .impossible
  }

  /// A dictionary, an array, data or XML, a string, a comment.
  private static let starts = Set("{(<\"/".utf8)

  func read(_ input: FormatInput) throws -> LoadedTable {
    let reader = PropertyListReader(
      bytes: input.bytes, limits: input.options.limits, cancellation: input.cancellation)
    let (form, value) = try reader.read()
    let chosen = try DocumentRows(of: value, options: input.options)
    var loaded = LoadedTable(
      table: ValueTable(chosen.rows), report: LoadReport(format: form, rows: chosen.rows.count))
    loaded.report.notes = chosen.notes
    for path in input.request.extraValues {
      let value = path.evaluate(on: value)
      if !value.isNull { loaded.extraValues[path] = value }
    }
    return loaded
  }
}
