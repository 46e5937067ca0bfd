extension Marker {
  /// A line of a script that expects `text`.
  func line(_ text: String) -> String {
    text.isEmpty ? self.text : self.text + " " + LineEnding.written(text)
  }

  /// A line of a script that expects what was told on standard output.
  static func outputLine(_ text: String) -> String { outputLine(LinePattern(text: text)) }

  /// A line of a script that expects a line of standard output with holes, or without any.
  static func outputLine(_ pattern: LinePattern) -> String {
    let pattern = pattern.onOneLine
    if let text = pattern.plainText { return line.line(text) }
    return self.pattern.line(pattern.written(.doubled))
  }

  /// A line of a script that expects a line of standard error.
  static func errorLine(_ pattern: LinePattern) -> String {
    errorLine.line(pattern.onOneLine.written(.lenient))
  }
}

extension LinePattern {
  /// The pattern with a `{*}` for every carriage return: written as it is, one would end the line of the
  /// script, and what comes after it would be run.
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
