/// Logs in the extended log file format, such as those of IIS and CloudFront, whose `#Fields:` line
/// names the fields.
struct W3CLogFormat: TableFormat {
  let names = ["w3c"]
  let extensions: [String] = []
  let mediaTypes: [String] = []
  let options = ReadOption.cellTypes + [.encoding, .strict]
  let allowsEmptyFile = true

  /// Certain if one of the directives at the start names fields.
  func recognize(_ sample: FormatSample) -> Recognition {
    guard let text = sample.text else { return .impossible }
    guard text.first == UInt8(ascii: "#") else { return text.isEmpty ? .ifNamed : .impossible }
    return Self.directives(text[...]).names == nil ? .impossible : .certain
  }

  func read(_ input: FormatInput) throws -> LoadedTable {
    try input.withText { text in
      let sample = try TextSample(text, size: 64 << 10)
      let start = Self.directives(sample.bytes[..<sample.count])
      guard let names = start.names else {
        throw TableError.format("the log has no line `#Fields:` with names of fields", at: nil)
      }
      let keys = HeaderKeys(names)
      // The names are compared with those of later directives.
      var table = LineTable(
        formatName: "W3C log", fields: W3CFields(names: names, hasTabs: start.hasTabs),
        keys: keys.keys)
      table.notes = keys.notes
      return try table.read(text, sample, input)
    }
  }

  /// The names of the fields; nil if the lines before the first entry have none. Whether that entry
  /// has tabs.
  private static func directives(
    _ text: ArraySlice<UInt8>
  ) -> (names: [String]?, hasTabs: Bool) {
    var names: [String]?
    for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).prefix(100) {
      guard line.first == UInt8(ascii: "#") else {
        return (names, line.contains(UInt8(ascii: "\t")))
      }
      names = names ?? W3CFields.names(in: line).flatMap { $0.isEmpty ? nil : $0 }
    }
    return (names, false)
  }
}
