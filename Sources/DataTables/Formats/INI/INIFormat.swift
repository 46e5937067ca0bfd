/// INI files: a section is a row, whose name is at the key `section`.
struct INIFormat: TableFormat {
  let names = ["ini"]
  let extensions = ["ini", "cfg", "conf", "cnf", "desktop", "service"]
  let mediaTypes: [String] = []
  let allowsEmptyFile = true
  let options: [ReadOption] = [.types, .nulls, .comment, .encoding, .strict]

  /// Other formats also contain `=` and brackets: a text is INI if it starts with a header, and
  /// nearly all lines are headers, have a key or continue a value.
  func recognize(_ sample: FormatSample) -> Recognition {
    let lines = SampleLines(sample, comments: ";#").lines
    var headers = 0
    var pairs = 0
    var others = 0
    for line in lines {
      if Self.isHeader(line) {
        headers += 1
      } else if Self.isPair(line) {
        pairs += 1
      } else if line.first != 0x20, line.first != 0x09 {
        others += 1
      }
    }
    if lines.isEmpty, sample.text != nil { return .ifNamed }
    guard headers + pairs > 0 else { return .impossible }
    guard others * 10 <= lines.count else { return .ifNamed }
    // JSON may start like a header only if the header is a JSON array.
    if pairs > 0, let first = lines.first, Self.isHeader(first) { return .certain }
    return headers > 0 && pairs > 0 ? .possible : .ifNamed
  }

  private static func isHeader(_ line: ArraySlice<UInt8>) -> Bool {
    let content = SampleLines.content(of: line)
    guard content.first == UInt8(ascii: "["), content.last == UInt8(ascii: "]") else {
      return false
    }
    let name = content.dropFirst().dropLast()
    guard !name.isEmpty, !name.contains(UInt8(ascii: ",")) else { return false }
    return (try? JSONFormat.value(Array(content))) == nil
  }

  private static func isPair(_ line: ArraySlice<UInt8>) -> Bool {
    let content = SampleLines.content(of: line)
    let mark = content.firstIndex { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") }
    return mark.map { $0 > content.startIndex } ?? false
  }

  func read(_ input: FormatInput) throws -> LoadedTable {
    try input.withWholeText { text in
      try TextEncoding.checkUTF8(text)
      return try text.withUnsafeBytes { bytes in
        var reader = INIReader(bytes, comment: input.options.commentPrefix)
        try reader.read(input.options, input.cancellation)
        return try Self.table(reader, input)
      }
    }
  }

  private static func table(_ reader: INIReader, _ input: FormatInput) throws -> LoadedTable {
    let rows = INIRows(reader.sections)
    var report = LoadReport(format: "INI", rows: rows.records.count)
    report.rejects = reader.findings.rejects
    report.rejected = reader.findings.rejected
    report.notes = rows.notes + reader.findings.notes
    return LoadedTable(table: ValueTable(rows.records, lines: rows.lines), report: report)
  }
}
