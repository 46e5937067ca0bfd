/// INI files: a section is a row, whose name is at the key `section`.
struct INIFormat: TableFormat {
  let names = ["ini"]
  let extensions = ["ini", "cfg", "conf", "cnf", "desktop", "service", "properties"]
  let mediaTypes: [String] = []
  let allowsEmptyFile = true
  let options = ReadOption.cellTypes + [.comment, .encoding, .strict]

  /// Other formats also contain `=` and brackets: a text is INI if it starts with a header or a key,
  /// and nearly all lines are headers, have a key or continue a value.
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
        if others * 10 > SampleLines.maxLines { break }
      }
    }
    if lines.isEmpty, sample.text != nil { return .ifNamed }
    guard headers + pairs > 0 else {
      // A header that is cut.
      return lines.first?.first == UInt8(ascii: "[") ? .ifNamed : .impossible
    }
    guard others * 10 <= lines.count else { return .ifNamed }
    if headers == 0, Self.arePairs(lines) { return .likely }
    guard headers > 0, pairs > 0, let first = lines.first else { return .ifNamed }
    return Self.isHeader(first) || Self.isPair(first) && first.contains(UInt8(ascii: "="))
      ? .likely : .possible
  }

  /// Whether each line is one of several different keys with `=` and a value. The lines of logs have
  /// the same keys.
  private static func arePairs(_ lines: [ArraySlice<UInt8>]) -> Bool {
    let keys = lines.map { line -> ArraySlice<UInt8>? in
      let key = line.prefix { isWord($0) }
      let mark = line[key.endIndex...].drop(while: \.isBlank).first
      // Statements of programs end with marks.
      guard mark == UInt8(ascii: "="), let last = line.last, !";,{(".utf8.contains(last) else {
        return nil
      }
      return key.isEmpty ? nil : key
    }
    return keys.count > 1 && Set(keys).count == keys.count && !keys.contains(nil)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte.isDigit || "._-".utf8.contains(byte)
  }

  /// Whether the line is a name in brackets, but not a JSON array.
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
    guard let mark, mark > content.startIndex else { return false }
    // Sentences and code also contain colons and equals signs.
    return !content[..<mark].contains { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "(") }
  }

  func read(_ input: FormatInput) throws -> LoadedTable {
    try input.withWholeText { text in
      try TextEncoding.checkUTF8(text)
      return try text.withUnsafeBytes { bytes in
        var reader = INIReader(bytes, comment: input.options.commentPrefix)
        try reader.read(input.options, input.cancellation)
        if let first = reader.sections.first, !reader.hasStructure {
          throw TableError.format(
            "no line is a header such as `[name]` or has a key before `=`",
            at: TextPosition(line: first.line))
        }
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
    let typed = try TypedCells(rows.records, request: input.request) { row in
      rows.lines.indices.contains(row) ? rows.lines[row] : nil
    }.read(cancellation: input.cancellation)
    typed.add(to: &report)
    return LoadedTable(table: ValueTable(typed.rows, lines: rows.lines), report: report)
  }
}
