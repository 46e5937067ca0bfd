/// The text of a script with the name of its file; finds the lines and columns of positions.
package final class ScriptText: Sendable {
  /// The path as given by the user; nil at the prompt and for `-c`.
  package let file: String?
  /// UTF-8 without a BOM.
  package let bytes: [UInt8]
  /// For the text of a quoted string, the script that contains the string, and the positions in
  /// that script of each byte and of the closing quote; nil for other texts.
  private let origin: (script: ScriptText, offsets: [Int])?
  /// The starts of lines, ascending, the first 0.
  private let lineStarts: [Int]

  package init(_ text: String, file: String? = nil) {
    self.file = file
    var bytes = Array(text.utf8)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    self.bytes = bytes
    lineStarts = Self.lineStarts(of: bytes)
    origin = nil
  }

  /// The text of a quoted string of another script; its locations are reported in that script.
  ///
  /// - Parameter offsets: the positions in the script of each byte, and of the closing quote.
  init(_ text: String, in script: ScriptText, at offsets: [Int]) {
    file = script.file
    bytes = Array(text.utf8)
    lineStarts = Self.lineStarts(of: bytes)
    origin = (script, offsets)
  }

  /// The line, column and length of a range of bytes, in characters.
  ///
  /// - Complexity: O(bytes of the line + log lines), and up to 4 KiB before the line.
  func place(of range: Range<Int>) -> SourcePlace {
    if let origin, let closing = origin.offsets.last {
      func outer(_ offset: Int) -> Int {
        offset < origin.offsets.count ? origin.offsets[offset] : closing
      }
      let start = outer(range.lowerBound)
      return origin.script.place(of: start..<max(start, outer(range.upperBound)))
    }
    let start = min(range.lowerBound, bytes.count)
    let line = line(at: start)
    let lineStart = lineStarts[line - 1]
    var lineEnd = start
    while lineEnd < bytes.count, newlineLength(at: lineEnd) == 0 { lineEnd += 1 }
    let end = min(max(range.upperBound, start), lineEnd)
    var place = SourcePlace(
      file: file, line: line, column: string(lineStart..<start).count + 1,
      length: max(1, string(start..<end).count), text: string(lineStart..<lineEnd))
    place.earlierLines = earlierLines(than: line)
    return place
  }

  /// Up to 16 lines before a line, at most 4096 bytes together. A command that has a mistake rarely
  /// begins before them.
  package func earlierLines(than line: Int) -> String {
    guard (1...lineStarts.count).contains(line) else { return "" }
    let end = lineStarts[line - 1]
    let starts = lineStarts[max(0, line - 17)..<line - 1]
    return string((starts.first { end - $0 <= 4096 } ?? end)..<end)
  }

  /// The quote around the string whose text this is; nil for other texts.
  var enclosingQuote: UInt8? {
    guard let origin, let closing = origin.offsets.last, closing < origin.script.bytes.count else {
      return nil
    }
    return origin.script.bytes[closing]
  }

  package var numberOfLines: Int { lineStarts.count }

  /// The range of the bytes of a line, without its line end. Lines count from 1; the range is empty
  /// past the last line.
  /// - Complexity: O(1).
  package func line(_ number: Int) -> Range<Int> {
    guard (1...lineStarts.count).contains(number) else { return bytes.count..<bytes.count }
    let start = lineStarts[number - 1]
    guard number < lineStarts.count else { return start..<bytes.count }
    var end = lineStarts[number] - 1
    if end > start, bytes[end] == UInt8(ascii: "\n"), bytes[end - 1] == UInt8(ascii: "\r") {
      end -= 1
    }
    return start..<end
  }

  /// The number, from 1, of the line that contains a position.
  package func line(at position: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= position { low = middle } else { high = middle }
    }
    return low + 1
  }

  /// The number, from 1, of the line that contains a position, for callers that move forward
  /// through the text.
  ///
  /// - Parameter line: a lower bound, such as the line of an earlier position.
  /// - Complexity: O(lines between).
  package func line(at position: Int, from line: Int) -> Int {
    var line = line
    while line < lineStarts.count, lineStarts[line] <= position { line += 1 }
    return line
  }

  private static func lineStarts(of bytes: [UInt8]) -> [Int] {
    var starts = [0]
    // Enough for lines of 16 bytes or more on average.
    starts.reserveCapacity(bytes.count / 16)
    bytes.withUnsafeBufferPointer { bytes in
      // Few bytes of text are as low as CR, so one comparison skips most of them.
      for position in bytes.indices where bytes[position] <= UInt8(ascii: "\r") {
        let isLineFeed = bytes[position] == UInt8(ascii: "\n")
        let isReturn =
          bytes[position] == UInt8(ascii: "\r")
          && (position + 1 == bytes.count || bytes[position + 1] != UInt8(ascii: "\n"))
        if isLineFeed || isReturn { starts.append(position + 1) }
      }
    }
    return starts
  }

  package func string(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  /// The length of the line end at `position`: LF, CR or CRLF; 0 for other text.
  func newlineLength(at position: Int) -> Int {
    guard position < bytes.count else { return 0 }
    switch bytes[position] {
    case UInt8(ascii: "\n"): return 1
    case UInt8(ascii: "\r"):
      return position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "\n") ? 2 : 1
    default: return 0
    }
  }
}

/// A part of a script.
package struct Span: Sendable {
  package let script: ScriptText
  package let start: Int
  package let end: Int

  package init(_ script: ScriptText, _ range: Range<Int>) {
    self.script = script
    start = range.lowerBound
    end = range.upperBound
  }

  /// The text of the span.
  package var text: String { script.string(start..<end) }
  package var place: SourcePlace { script.place(of: start..<end) }

  /// From the beginning of this span to the end of `other`.
  package func through(_ other: Span) -> Span { Span(script, start..<max(end, other.end)) }
}

extension Diagnostic {
  package init(
    _ kind: ErrorKind, _ message: String, suggestion: String? = nil, details: [String] = [],
    at span: Span
  ) {
    self.init(kind, message, suggestion: suggestion, details: details, at: span.place)
  }
}

/// A word of a script, with its location.
package struct Word: Sendable {
  package let text: String
  package let span: Span
}
