/// The fields of a row as they are written, with quotes and escapes.
struct RawFields {
  /// Ranges in the bytes of the row, without delimiters and line end.
  let ranges: [Range<Int>]

  /// - Parameter row: without its line end.
  init(_ row: ArraySlice<UInt8>, _ dialect: Dialect) {
    var ranges: [Range<Int>] = []
    var start = row.startIndex
    var place = start
    var isQuoted = false
    var isAtStart = true
    while place < row.endIndex {
      let byte = row[place]
      if byte == dialect.escape, place + 1 < row.endIndex {
        place += 1
        isAtStart = false
      } else if byte == dialect.quote, isQuoted || isAtStart {
        // A doubled quote ends the quotes and begins them again.
        isQuoted.toggle()
        isAtStart = !isQuoted
      } else if !isQuoted, byte == dialect.delimiter {
        ranges.append(start..<place)
        start = place + 1
        isAtStart = true
      } else if !(dialect.skipsSpaces && byte == UInt8(ascii: " ")) {
        isAtStart = false
      }
      place += 1
    }
    ranges.append(start..<row.endIndex)
    self.ranges = ranges
  }

  /// Whether a field is in quotes.
  static func isQuoted(_ field: ArraySlice<UInt8>, _ dialect: Dialect) -> Bool {
    guard let quote = dialect.quote else { return false }
    return field.first { $0 != UInt8(ascii: " ") } == quote
  }
}
