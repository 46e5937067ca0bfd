/// The characters that begin an expectation or a directive.
enum Marker: Sendable, CaseIterable {
  case line, pattern, errorLine, file, directive, anyLines

  /// The characters, such as `#|`.
  var text: String {
    switch self {
    case .line: "#|"
    case .pattern: "#~"
    case .errorLine: "#!"
    case .file: "#<"
    case .directive: "#%"
    case .anyLines: "#..."
    }
  }

  /// The marker at the start of a line, after at most `indent` spaces, and the position of the text
  /// that follows the marker and its space; nil for a line without a marker, such as a comment.
  static func parse(
    _ bytes: [UInt8], _ line: Range<Int>, indent: Int = 0
  ) -> (marker: Marker, content: Int)? {
    var start = line.lowerBound
    while start < min(line.upperBound, line.lowerBound + indent), bytes[start] == space {
      start += 1
    }
    guard line.upperBound - start >= 2, bytes[start] == UInt8(ascii: "#"),
      let marker = Marker(bytes[start + 1])
    else { return nil }
    if marker == .anyLines {
      let isWhole = bytes[start..<line.upperBound].elementsEqual("#...".utf8)
      return isWhole ? (marker, line.upperBound) : nil
    }
    if start + 2 == line.upperBound { return (marker, line.upperBound) }
    return bytes[start + 2] == space ? (marker, start + 3) : nil
  }

  private static let space = UInt8(ascii: " ")

  /// - Parameter byte: the byte after `#`.
  init?(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "|"): self = .line
    case UInt8(ascii: "~"): self = .pattern
    case UInt8(ascii: "!"): self = .errorLine
    case UInt8(ascii: "<"): self = .file
    case UInt8(ascii: "%"): self = .directive
    case UInt8(ascii: "."): self = .anyLines
    default: return nil
    }
  }

  /// The line of a script that expects `text`.
  func line(_ text: String) -> String {
    text.isEmpty ? self.text : self.text + " " + LineEnding.written(text)
  }

  /// The line of a script that expects `text` as a line of standard output.
  static func outputLine(_ text: String) -> String { outputLine(LinePattern(text: text)) }

  /// The line of a script that expects a line of standard output to match `pattern`.
  static func outputLine(_ pattern: LinePattern) -> String {
    let pattern = pattern.onOneLine
    if let text = pattern.plainText { return line.line(text) }
    return self.pattern.line(pattern.written(.doubled))
  }

  /// The line of a script that expects a line of standard error to match `pattern`.
  static func errorLine(_ pattern: LinePattern) -> String {
    errorLine.line(pattern.onOneLine.written(.lenient))
  }
}

extension LinePattern {
  /// The pattern with a `{*}` for each carriage return. A carriage return would end the line of the
  /// script, and the text after it would be run as a command.
  fileprivate var onOneLine: LinePattern {
    let end = UInt8(ascii: "\r")
    let segments = segments.flatMap { segment -> [Segment] in
      guard case .text(let bytes) = segment, bytes.contains(end) else { return [segment] }
      let texts = bytes.split(separator: end, omittingEmptySubsequences: false)
      let holes = texts.map { text -> [Segment] in
        let hole = Segment.hole(.anything, name: nil, text: "*")
        return text.isEmpty ? [hole] : [hole, .text(Array(text))]
      }
      return Array(holes.joined().dropFirst())
    }
    return LinePattern(segments)
  }
}
