/// The line with the keys of a log in the W3C extended format, which IIS and CloudFront write:
/// `#Fields: date time cs-method`.
struct FieldsDirective {
  private static let mark = Array("#Fields:".utf8)

  private let keys: HeaderKeys
  private let line: Int

  /// nil if the text does not begin with directives, or if none of them has two keys.
  init?(_ text: ArraySlice<UInt8>) {
    guard text.first == UInt8(ascii: "#") else { return nil }
    let first = text.startIndex
    let found = text.withUnsafeBytes { bytes -> (names: [String], line: Int)? in
      for line in TextLines(bytes) {
        let content = text[first + line.range.lowerBound..<first + line.range.upperBound]
        guard content.first == UInt8(ascii: "#") else { return nil }
        guard content.starts(with: Self.mark) else { continue }
        let names = content.dropFirst(Self.mark.count).split(whereSeparator: \.isBlank)
        return (names.map { String(decoding: $0, as: UTF8.self) }, line.number)
      }
      return nil
    }
    guard let found, found.names.count > 1 else { return nil }
    keys = HeaderKeys(found.names)
    line = found.line
  }

  /// The rows below: values without blanks, and more directives.
  func table(_ sample: TextSample, _ options: ReadOptions) throws(TableError) -> LineTable {
    if let given = options.keys, given.count != keys.keys.count {
      throw HeaderKeys.mismatch(given, for: keys.keys.count, "columns")
    }
    var table = LineTable(
      formatName: "W3C log",
      fields: FixedFields(division: .words(keys.keys.count, takesRest: false)),
      keys: options.keys ?? keys.keys, lineEnds: sample.hasLoneReturn ? .any : .lf)
    table.start = sample.offset
    table.comment = "#"
    table.notes = options.format == nil ? ["detected `format: fixed`"] : []
    if options.keys == nil {
      table.notes += ["the keys are those of `#Fields:` at line \(line)"] + keys.notes
    }
    return table
  }
}
