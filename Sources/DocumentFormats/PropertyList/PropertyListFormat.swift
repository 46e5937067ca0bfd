import DataTables

/// Property lists: XML, binary and the older text form of OpenStep.
struct PropertyListFormat: TableFormat {
  let names = ["plist"]
  let extensions = ["plist", "strings"]
  let mediaTypes = ["application/x-plist", "application/x-apple-plist"]
  let options: [ReadOption] = [.keyPath, .rows, .encoding]

  func recognize(_ sample: FormatSample) -> Recognition {
    let bytes = sample.bytes
    if PropertyListReader.form(of: bytes) != .text { return .certain }
    // The text form has no mark.
    let first = (sample.text ?? bytes).first { $0 > UInt8(ascii: " ") }
    return first.map { Self.starts.contains($0) } ?? false ? .ifNamed : .impossible
  }

  /// A dictionary, an array, data or XML, a string, a comment.
  private static let starts = Set("{(<\"/".utf8)

  func read(_ input: FormatInput) throws -> LoadedTable {
    let form = PropertyListReader.form(of: try input.sample().bytes)
    guard form == .text else { return try table(input.bytes, form, input) }
    return try input.withText { try table($0, form, input) }
  }

  private func table(
    _ bytes: any ByteStore, _ form: PropertyListReader.Form, _ input: FormatInput
  ) throws -> LoadedTable {
    let list = try PropertyListReader(
      bytes: bytes, limits: input.options.limits, cancellation: input.cancellation
    ).read(form)
    let chosen = try DocumentRows(of: list.value, options: input.options)
    var loaded = LoadedTable(
      table: ValueTable(chosen.rows, lines: list.lines(of: chosen)),
      report: LoadReport(
        format: list.form, encoding: list.encoding, rows: chosen.rows.count))
    loaded.report.notes = chosen.notes
    for path in input.request.extraValues {
      let value = path.evaluate(on: list.value)
      if !value.isNull { loaded.extraValues[path] = value }
    }
    return loaded
  }
}

extension PropertyList {
  /// The line of each row; empty if the lines are not known.
  fileprivate func lines(of chosen: DocumentRows) -> [Int] {
    guard let line else { return [] }
    if chosen.rows.count == 1, chosen.path(ofRow: 0) == chosen.location { return [line] }
    var keys: [String] = []
    for step in chosen.location.steps {
      guard case .key(let key) = step else { return [] }
      keys.append(key)
    }
    let lines = lines[keys] ?? []
    return lines.count == chosen.rows.count ? lines : []
  }
}
