import DSInterpreter

/// Reads the lines of a script that expect output.
struct ExpectationReader {
  private let source: ScriptText
  /// The names captured by holes so far.
  private var captures: Set<String> = []

  init(_ source: ScriptText) { self.source = source }

  /// The expectation of a line; nil for a directive.
  ///
  /// - Parameters:
  ///   - text: the text after the marker.
  ///   - content: the position of the text in the source.
  /// - Throws: the syntax error in the line.
  mutating func kind(
    _ marker: Marker, _ text: String, at content: Int
  ) throws(Diagnostic) -> Expectation.Kind? {
    switch marker {
    case .line: return .line(LineEnding.read(text))
    case .anyLines:
      if text.isEmpty { return .anyLines }
      if let digest = LinesDigest(parsing: text) { return .digest(digest) }
      throw Diagnostic(
        .syntax,
        "expected a number of lines and the start of their SHA-256 digest, as in "
          + "`#... 2,000 lines, sha256 0123456789abcdef`",
        at: Span(source, content..<content + text.utf8.count))
    case .absent:
      let absent = LineEnding.read(text)
      if !absent.isEmpty { return .absent(absent) }
      throw Diagnostic(
        .syntax, "`#-` needs the text that must not occur: write `#- error`",
        at: Span(source, max(0, content - 2)..<content))
    case .file:
      let name = text.drop { $0 == " " }
      if !name.isEmpty { return .file(String(name)) }
      let span = Span(source, max(0, content - 2)..<content)
      throw Diagnostic(.syntax, "`#<` needs the name of a file: write `#< menu.txt`", at: span)
    case .pattern, .errorLine:
      do throws(LinePattern.Mistake) {
        let pattern = try LinePattern(
          parsing: LineEnding.read(text), marker == .pattern ? .doubled : .lenient, known: captures)
        captures.formUnion(pattern.captures)
        return marker == .pattern ? .pattern(pattern) : .errorLine(pattern)
      } catch {
        let range = content + error.range.lowerBound..<content + error.range.upperBound
        throw Diagnostic(
          .syntax, error.message, suggestion: error.suggestion, at: Span(source, range))
      }
    case .directive: return nil
    }
  }
}
