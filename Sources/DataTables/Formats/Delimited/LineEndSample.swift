internal import CScan

/// The kinds of line ends in the sample of a text, with the line at which each occurs first.
struct LineEndSample {
  private var lines: [(name: String, line: Int)] = []

  init(_ sample: TextSample, dialect: Dialect) {
    guard sample.bytes.firstIndex(of: UInt8(ascii: "\r"), in: 0..<sample.count) != nil else {
      return
    }
    var scan = ds_csv_scan()
    scan.dialect = dialect.kernel
    scan.length = sample.count
    sample.bytes.withUnsafeBufferPointer { bytes in
      scan.bytes = bytes.baseAddress
      var place = 0
      while place < sample.count {
        var end = 0
        var fields: UInt32 = 0
        if ds_csv_row(&scan, place, &end, &fields) != 0 {
          end = ds_csv_next_line(scan.bytes, sample.count, place, &scan.dialect)
          if end == 0 { break }
        }
        let row = bytes[place..<(end == sample.count && sample.hasAddedEnd ? end - 1 : end)]
        guard let name = Self.name(of: row) else { break }
        if !lines.contains(where: { $0.name == name }) {
          lines.append((name, sample.line(at: end - 1, dialect)))
        }
        place = end
      }
    }
  }

  /// Adds a CR that was found after the sample.
  mutating func addReturn(atLine line: Int) {
    if lines.isEmpty { lines.append(("LF", 1)) }
    if !lines.contains(where: { $0.name == "CR" }) { lines.append(("CR", line)) }
  }

  /// nil for a row without a line end.
  private static func name(of row: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
    guard row.last == UInt8(ascii: "\n") else { return row.last == UInt8(ascii: "\r") ? "CR" : nil }
    let returns = row.dropLast().suffix(2).reversed().prefix { $0 == UInt8(ascii: "\r") }.count
    return ["LF", "CRLF", "CRCRLF"][returns]
  }

  /// The only kind, or `mixed line ends`; nil for LF.
  var description: String? {
    if lines.count > 1 { return "mixed line ends" }
    return lines.first.flatMap { $0.name == "LF" ? nil : $0.name }
  }

  /// `line ends are mixed: CRLF at line 1, LF first at line 3`; nil for a single kind.
  var note: String? {
    guard lines.count > 1 else { return nil }
    let places = lines.map { "\($0.name) first at line \($0.line)" }
    return "line ends are mixed: " + places.joined(separator: ", ")
  }
}
