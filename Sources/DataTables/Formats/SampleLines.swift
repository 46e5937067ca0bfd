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
    lines = text.withUnsafeBytes { bytes in
      var lines: [ArraySlice<UInt8>] = []
      for found in TextLines(bytes) {
        if lines.count == Self.maxLines { break }
        if found.isLast, !sample.isWhole, !lines.isEmpty { break }
        var end = found.range.upperBound
        while end > found.range.lowerBound, bytes[end - 1].isBlank { end -= 1 }
        let line = text[found.range.lowerBound..<end]
        guard let first = Self.content(of: line).first, !marks.contains(first) else { continue }
        lines.append(line)
      }
      return lines
    }
  }

  /// A line without its indentation.
  package static func content(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.drop(while: \.isBlank)
  }
}
