internal import CScan

/// The first bytes of a delimited text, which determine its dialect and the place of its table.
struct TextSample {
  /// Followed by padding, and by LF if the sample ends with the text and the text has no LF there.
  let bytes: [UInt8]
  /// The number of bytes of the sample, including the added LF.
  let count: Int
  /// Whether an LF was added.
  let hasAddedEnd: Bool
  /// Whether the sample ends with the text.
  let isWhole: Bool
  /// The offset of the sample in the text: after the skipped lines.
  let offset: Int
  private let skippedLines: Int

  /// - Parameter skippedLines: the number of lines before the sample.
  /// - Throws: ``TableError/badArgument(_:)`` if the text has fewer lines, and the errors of the
  ///   store.
  init(_ store: any ByteStore, size: Int, skippedLines: Int = 0) throws {
    var offset = 0
    if skippedLines > 0 {
      let first = try TextSample(store, size: size)
      let dialect = Dialect(delimiter: 0, lineEnds: first.hasLoneReturn ? .any : .lf)
      guard let end = try dialect.offset(afterLines: skippedLines, of: store) else {
        throw TableError.badArgument("`skip: \(skippedLines)` skips the whole text")
      }
      offset = end
    }
    self.offset = offset
    self.skippedLines = skippedLines
    var bytes = try store.bytes(offset..<min(store.count, offset + size))
    isWhole = offset + bytes.count == store.count
    hasAddedEnd = isWhole && bytes.last.map { $0 != UInt8(ascii: "\n") } ?? false
    if hasAddedEnd { bytes.append(UInt8(ascii: "\n")) }
    count = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: Int(DS_PADDING)))
    self.bytes = bytes
  }

  /// Whether one of the quotes follows one of the given bytes and spaces.
  func hasQuote(_ quotes: [UInt8], afterSpacesAfter starts: [UInt8]) -> Bool {
    let space = UInt8(ascii: " ")
    var place = 0
    while let found = bytes.firstIndex(of: space, in: place..<count) {
      var end = found
      while end < count, bytes[end] == space { end += 1 }
      if end < count, quotes.contains(bytes[end]),
        found == 0 || starts.contains(bytes[found - 1])
      {
        return true
      }
      place = end
    }
    return false
  }

  /// Whether a CR is not part of a line end with LF.
  var hasLoneReturn: Bool {
    var place = 0
    while let found = bytes.firstIndex(of: UInt8(ascii: "\r"), in: place..<count) {
      var next = found + 1
      if next < count, bytes[next] == UInt8(ascii: "\r") { next += 1 }
      guard next < count else { return isWhole }
      if bytes[next] != UInt8(ascii: "\n") { return true }
      place = next + 1
    }
    return false
  }

  /// Whether two bytes occur next to each other.
  func has(_ pair: (UInt8, UInt8)) -> Bool {
    let text = bytes[..<count]
    var place = 0
    while let found = text[place...].firstIndex(of: pair.1) {
      if found > 0, bytes[found - 1] == pair.0 { return true }
      place = found + 1
    }
    return false
  }

  /// The line in the text, from 1, of an index in the sample.
  func line(at index: Int, _ dialect: Dialect) -> Int {
    var kernel = dialect.kernel
    return skippedLines + 1 + ds_csv_count_lines(bytes, min(index, count), count, &kernel)
  }

  /// The index after the first line; nil if it may end after the sample.
  func endOfFirstLine(_ dialect: Dialect) -> Int? {
    var kernel = dialect.kernel
    let end = ds_csv_next_line(bytes, count, 0, &kernel)
    return end == 0 ? nil : end
  }
}

extension Dialect {
  /// The offset after a number of lines, whatever their quotes; nil if the text has fewer lines or
  /// nothing follows them.
  fileprivate func offset(afterLines lines: Int, of store: any ByteStore) throws -> Int? {
    var kernel = kernel
    var (offset, found, size) = (0, 0, 1 << 16)
    while true {
      let bytes = try store.bytes(offset..<min(offset + size, store.count))
      var place = 0
      while found < lines {
        let next = ds_csv_next_line(bytes, bytes.count, place, &kernel)
        if next == 0 { break }
        (place, found) = (next, found + 1)
      }
      offset += place
      if found == lines { return offset < store.count ? offset : nil }
      if offset - place + bytes.count >= store.count { return nil }
      // A line that is longer than the block.
      if place == 0 { size *= 4 }
    }
  }
}
