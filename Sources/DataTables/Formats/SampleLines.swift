/// The first lines of a sample that are neither blank nor comments, for recognizing a format.
package struct SampleLines {
  /// Lines with their indentation, without white space at their ends.
  package let lines: [ArraySlice<UInt8>]

  package static let maxLines = 200

  /// - Parameter comments: the bytes that start a comment at the start of a line.
  package init(_ sample: FormatSample, comments: String) {
    guard let text = sample.text else {
      lines = []
      return
    }
    let marks = Array(comments.utf8)
    var lines: [ArraySlice<UInt8>] = []
    var rest = text[...]
    while !rest.isEmpty, lines.count < Self.maxLines {
      let end = rest.firstIndex { $0 == 0x0A || $0 == 0x0D }
      // The last line may be cut.
      if end == nil, !sample.isWhole, !lines.isEmpty { break }
      var line = rest[..<(end ?? rest.endIndex)]
      rest = rest[(end.map { $0 + 1 } ?? rest.endIndex)...]
      while let last = line.last, last == 0x20 || last == 0x09 { line.removeLast() }
      guard let first = Self.content(of: line).first, !marks.contains(first) else { continue }
      lines.append(line)
    }
    self.lines = lines
  }

  /// A line without its indentation.
  package static func content(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.drop { $0 == 0x20 || $0 == 0x09 }
  }
}
