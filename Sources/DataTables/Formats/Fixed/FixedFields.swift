internal import CScan

/// The fields of a line whose columns have a fixed width, or are separated by runs of blanks.
/// Blanks around a field are not part of it.
struct FixedFields: LineFields {
  enum Division: Equatable, Sendable {
    /// Columns of these numbers of characters, one after another.
    case widths([Int])
    /// Columns with gaps between them: ranges of characters in which each line has a blank.
    case gaps([Range<Int>])
    /// Words with blanks between them; if `takesRest` is true, the last one may contain blanks.
    case words(Int, takesRest: Bool)
  }

  let division: Division
  /// Whether a row with fewer words lacks its last values; else it is rejected, because any value may
  /// be missing.
  var padsShortRows = false

  var columns: Int {
    switch division {
    case .widths(let widths): widths.count
    case .gaps(let gaps): gaps.count + 1
    case .words(let count, _): count
    }
  }

  func makeLocator() -> any LineLocator { FixedLocator(division, padsShortRows: padsShortRows) }
}

final class FixedLocator: LineLocator {
  private let division: FixedFields.Division
  private let padsShortRows: Bool
  /// The places between the columns of a line that is not ASCII.
  private var places: CharacterPlaces

  init(_ division: FixedFields.Division, padsShortRows: Bool) {
    self.division = division
    self.padsShortRows = padsShortRows
    places = CharacterPlaces(
      upTo: {
        switch division {
        case .widths(let widths): widths.reduce(0, +)
        case .gaps(let gaps): gaps.last?.upperBound ?? 0
        case .words: 0
        }
      }())
  }

  func locate(
    _ line: Line, upTo last: Int, into fields: UnsafeMutablePointer<ds_field>
  ) -> LineOutcome {
    if line.isRule { return .skipped }
    switch division {
    case .widths(let widths):
      places.read(line)
      return locate(line, widths, upTo: last, into: fields)
    case .gaps(let gaps):
      places.read(line)
      return locate(line, gaps, upTo: last, into: fields)
    case .words(let count, let takesRest):
      return locate(line, words: count, takesRest: takesRest, upTo: last, into: fields)
    }
  }

  private func locate(
    _ line: Line, _ widths: [Int], upTo last: Int, into fields: UnsafeMutablePointer<ds_field>
  ) -> LineOutcome {
    var start = line.start
    var character = 0
    for (column, width) in widths.enumerated() {
      if start >= line.end { return .short(fields: column) }
      if column > last { return .row }
      character += width
      let end = places.index(of: character, in: line)
      fields[column] = line.field(start, end)
      start = end
    }
    guard let rest = line.firstNonblank(from: start) else { return .row }
    return .rejected(.pastColumns, at: rest - line.start)
  }

  private func locate(
    _ line: Line, _ gaps: [Range<Int>], upTo last: Int, into fields: UnsafeMutablePointer<ds_field>
  ) -> LineOutcome {
    var start = line.start
    for (column, gap) in gaps.enumerated() {
      if start >= line.end { return .short(fields: column) }
      if column > last { return .row }
      let first = places.index(of: gap.lowerBound, in: line)
      let after = places.index(of: gap.upperBound, in: line)
      var split = first
      while split < after, !line.isBlank(at: split) { split += 1 }
      guard split < after || after >= line.end else {
        return .rejected(.acrossColumns, at: first - line.start)
      }
      fields[column] = line.field(start, split)
      start = split
    }
    if start >= line.end { return .short(fields: gaps.count) }
    fields[gaps.count] = line.field(start, line.end)
    return .row
  }

  private func locate(
    _ line: Line, words count: Int, takesRest: Bool, upTo last: Int,
    into fields: UnsafeMutablePointer<ds_field>
  ) -> LineOutcome {
    var found = 0
    var index = line.start
    while let start = line.firstNonblank(from: index) {
      if found == count - 1, takesRest {
        fields[found] = line.field(start, line.end)
        return .row
      }
      index = start
      while index < line.end, !line.isBlank(at: index) { index += 1 }
      if found < count { fields[found] = line.field(start, index) }
      found += 1
      if found > last, last < count - 1 { return .row }
    }
    if found == count { return .row }
    return found < count && padsShortRows
      ? .short(fields: found) : .rejected(.words(found, expected: count), at: 0)
  }
}

/// The places in a line of characters that are counted from its start. A character is a Unicode
/// scalar, as in most programs that write such columns.
private struct CharacterPlaces {
  private let last: Int
  private var isASCII = true
  /// The index of each character of a line that is not ASCII.
  private var indexes: [Int] = []

  /// - Parameter last: the last character whose place is needed.
  init(upTo last: Int) { self.last = last }

  mutating func read(_ line: Line) {
    isASCII = true
    for index in line.start..<line.end where line.bytes[index] >= 0x80 {
      isASCII = false
      break
    }
    if isASCII { return }
    indexes.removeAll(keepingCapacity: true)
    for index in line.start..<line.end where line.bytes[index] & 0xC0 != 0x80 {
      indexes.append(index)
      if indexes.count > last { break }
    }
  }

  /// At most the end of the line.
  func index(of character: Int, in line: Line) -> Int {
    if isASCII { return character < line.end - line.start ? line.start + character : line.end }
    return character < indexes.count ? indexes[character] : line.end
  }
}

extension Line {
  func isBlank(at index: Int) -> Bool { bytes[index] == 0x20 || bytes[index] == 0x09 }

  func firstNonblank(from start: Int) -> Int? {
    var index = start
    while index < end, isBlank(at: index) { index += 1 }
    return index < end ? index : nil
  }

  /// The field between two indexes, without the blanks around it.
  func field(_ start: Int, _ end: Int) -> ds_field {
    var (start, end) = (start, end)
    while start < end, isBlank(at: start) { start += 1 }
    while end > start, isBlank(at: end - 1) { end -= 1 }
    if start == end { return ds_field() }
    return ds_field(
      start: UInt32(truncatingIfNeeded: start), length: UInt32(truncatingIfNeeded: end - start))
  }

  /// Whether the line only underlines others: `-----  ---`.
  var isRule: Bool {
    var longest = 0
    var run = 0
    for index in start..<end {
      switch Unicode.Scalar(bytes[index]) {
      case "-", "=", "_", "*", "+": run += 1
      case " ", "\t": run = 0
      default: return false
      }
      longest = max(longest, run)
    }
    return longest >= 3
  }
}
