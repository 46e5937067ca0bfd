internal import Glibc

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
    var start = 0
    while start < text.count, lines.count < Self.maxLines {
      let found = Self.lineEnd(in: text, from: start)
      // The last line may be cut.
      if found == nil, !sample.isWhole, !lines.isEmpty { break }
      let next = found ?? text.count
      var end = next
      while end > start, text[end - 1] == 0x20 || text[end - 1] == 0x09 { end -= 1 }
      let line = text[start..<end]
      start = next + 1
      guard let first = Self.content(of: line).first, !marks.contains(first) else { continue }
      lines.append(line)
    }
    self.lines = lines
  }

  /// The index of the first LF or CR at or after `start`; nil without one.
  private static func lineEnd(in text: [UInt8], from start: Int) -> Int? {
    text.withUnsafeBytes { text in
      guard let first = text.baseAddress.map({ $0 + start }) else { return nil }
      let feed = memchr(first, 0x0A, text.count - start).map {
        start + (UnsafeRawPointer($0) - first)
      }
      let end = feed ?? text.count
      return memchr(first, 0x0D, end - start).map { start + (UnsafeRawPointer($0) - first) } ?? feed
    }
  }

  /// A line without its indentation.
  package static func content(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.drop { $0 == 0x20 || $0 == 0x09 }
  }
}
