/// The characters that begin an expectation or a directive.
enum Marker: Sendable, CaseIterable {
  case line, pattern, errorLine, file, absent, directive, anyLines

  /// The characters, such as `#|`.
  var text: String {
    switch self {
    case .line: "#|"
    case .pattern: "#~"
    case .errorLine: "#!"
    case .file: "#<"
    case .absent: "#-"
    case .directive: "#%"
    case .anyLines: "#..."
    }
  }

  /// The meaning of a line with it, for `help markers`.
  var summary: String {
    switch self {
    case .line: "exactly this line of output; \\s at its end is a space"
    case .pattern: "a line with holes, such as {int}"
    case .errorLine: "a line of standard error from `error:` on, with holes"
    case .file: "the lines of this file beside the script"
    case .absent: "no line of the output or of standard error contains this text"
    case .directive: "no output: a directive, see `help directives`"
    case .anyLines: "any number of lines, or this number with this digest"
    }
  }

  /// The parts of a line behind it.
  var placeholder: String {
    switch self {
    case .line, .pattern, .absent: "TEXT"
    case .errorLine: "error: TEXT"
    case .file: "FILE"
    case .directive: "DIRECTIVE"
    case .anyLines: "[COUNT lines, sha256 DIGEST]"
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
      guard bytes[start..<line.upperBound].starts(with: marker.text.utf8) else { return nil }
      let rest = bytes[(start + marker.text.utf8.count)..<line.upperBound]
      if rest.isEmpty { return (marker, line.upperBound) }
      // A number of lines may follow; any other text makes the line a comment.
      let isNumber = rest.dropFirst().first.map { (0x30...0x39).contains($0) } ?? false
      return rest.first == space && isNumber ? (marker, rest.startIndex + 1) : nil
    }
    if start + 2 == line.upperBound { return (marker, line.upperBound) }
    return bytes[start + 2] == space ? (marker, start + 3) : nil
  }

  /// The line that was probably meant by a comment that is almost an expectation or a directive:
  /// `#|2`, an indented `#| 2`, `#|| 2`, `#...4 lines`; nil for any other comment, and for a row of
  /// equal characters such as `#~~~~`.
  ///
  /// - Parameter isBelowCommand: whether the line is below a command or one of its expectations, where
  ///   `# | 2` and `## | 2` are meant as one, too.
  static func probable(
    _ bytes: [UInt8], _ line: Range<Int>, isBelowCommand: Bool
  ) -> String? {
    var rest = withPlainBlanks(bytes[line]).drop(while: isBlank)
    guard rest.popFirst() == UInt8(ascii: "#"), !rest.isEmpty else { return nil }
    // Also with blanks between: `# #| 2`.
    let lastMark = rest.prefix { $0 == UInt8(ascii: "#") || isBlank($0) }
      .lastIndex(of: UInt8(ascii: "#"))
    let isDoubled = lastMark != nil
    if let lastMark { rest = rest[(lastMark + 1)...] }
    // Otherwise, blanks are between `#` and its text.
    let isClose = rest.first.map { !isBlank($0) } ?? false
    rest = rest.drop(while: isBlank)
    let isDirective = isDirective(rest)
    if !isClose, !isBelowCommand, !isDirective { return nil }
    if let text = textAfterDots(rest, isClose: isClose && !isDoubled) {
      return LinesDigest(parsing: text).map { anyLines.text + " " + $0.text } ?? anyLines.text
    }
    guard let marker = rest.first.flatMap(Marker.init), marker != .anyLines else { return nil }
    let character = rest.popFirst()
    // `# - text` is an item of a list, and `#-- text` a heading.
    if marker == .absent, !isClose || isDoubled || rest.first == character { return nil }
    // `# |2` below a command is hardly meant as a comment.
    var needsBlank = (!isClose || isDoubled) && !isDirective && !(marker == .line && isBelowCommand)
    if rest.first == character {
      rest = rest.dropFirst()
      needsBlank = true
      if rest.isEmpty { return nil }
    }
    if needsBlank, let next = rest.first, !isBlank(next) { return nil }
    return marker.line(String(decoding: rest.drop(while: isBlank), as: UTF8.self))
  }

  /// Whether a text is `%` and the name of a directive, as in the comment `# % strict`.
  private static func isDirective(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.first == UInt8(ascii: "%") else { return false }
    let words = String(decoding: text.dropFirst(), as: UTF8.self).split(separator: " ")
    return words.first.map { Directive.names.contains(String($0)) } ?? false
  }

  /// The line with spaces in place of other blanks and invisible characters before its first word, and
  /// with ASCII characters in place of those that look like them, such as the `│` of reports.
  private static func withPlainBlanks(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    if line.allSatisfy({ $0 < 0x80 }) { return line }
    let scalars = String(decoding: line, as: UTF8.self).unicodeScalars
    let start = scalars.prefix { !$0.properties.isAlphabetic && $0.properties.numericType == nil }
    let plain = start.map { scalar in
      scalar.properties.isWhitespace || scalar.properties.generalCategory == .format
        ? " " : lookAlikes[scalar] ?? scalar
    }
    return ArraySlice(
      String(String.UnicodeScalarView(plain + scalars[start.endIndex...])).utf8)
  }

  private static let lookAlikes: [Unicode.Scalar: Unicode.Scalar] = [
    "│": "|", "┃": "|", "¦": "|", "｜": "|", "＃": "#", "～": "~", "！": "!", "％": "%", "＜": "<",
  ]

  /// The text after the dots of a comment that is almost `#...`; nil for any other comment.
  ///
  /// - Parameter isClose: whether nothing is between `#` and the dots. Otherwise, only dots, or the
  ///   number of lines that `#...` may have, can follow them.
  private static func textAfterDots(_ text: ArraySlice<UInt8>, isClose: Bool) -> String? {
    let text = String(decoding: text, as: UTF8.self)
    let dots = text.prefix { ".… \t\u{A0}".contains($0) }
    let count = dots.count { $0 == "." } + 3 * dots.count { $0 == "…" }
    let rest = String(text.dropFirst(dots.count))
    guard count >= (isClose ? 2 : 3) else { return nil }
    return isClose || rest.isEmpty || LinesDigest(parsing: rest) != nil ? rest : nil
  }

  /// The marker, if any, with which the comment behind a command on its line begins, and its position;
  /// also for a comment that is almost `#|`.
  ///
  /// - Parameter isQuoted: whether a position is inside a string of the command.
  static func trailing(
    _ bytes: [UInt8], _ line: Range<Int>, isQuoted: (Int) -> Bool
  ) -> (marker: Marker, start: Int)? {
    let comment = line.dropFirst().first { position in
      bytes[position] == UInt8(ascii: "#") && isBlank(bytes[position - 1]) && !isQuoted(position)
    }
    guard let comment, bytes[line.lowerBound..<comment].contains(where: { !isBlank($0) }) else {
      return nil
    }
    let text = comment..<line.upperBound
    if let found = parse(bytes, text) { return (found.marker, comment) }
    // `# | …` is a comment here, such as one about the pipe.
    guard text.count > 1, !isBlank(bytes[comment + 1]) else { return nil }
    let probable = probable(bytes, text, isBelowCommand: true)
    return probable?.hasPrefix(Marker.line.text) ?? false ? (.line, comment) : nil
  }

  /// Whether a byte is a space, a tab, or one of the two of a non-breaking space.
  private static func isBlank(_ byte: UInt8) -> Bool {
    [space, UInt8(ascii: "\t"), 0xC2, 0xA0].contains(byte)
  }

  private static let space = UInt8(ascii: " ")

  /// - Parameter byte: the byte after `#`.
  init?(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "|"): self = .line
    case UInt8(ascii: "~"): self = .pattern
    case UInt8(ascii: "!"): self = .errorLine
    case UInt8(ascii: "<"): self = .file
    case UInt8(ascii: "-"): self = .absent
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
