import DSInterpreter

// What is expected of the command above.
extension ScriptReader {
  mutating func expect(_ marker: Marker, _ text: String, at line: Int, content: Int) {
    let span = Span(source, source.line(line))
    guard script.commands.count > firstCommand else {
      script.mistakes.append(
        Diagnostic(.syntax, "no command stands above for `\(marker.text)` to be about", at: span))
      return
    }
    if let kind = kind(marker, text, at: content) {
      script.commands[script.commands.count - 1].add(Expectation(kind: kind, line: line))
    }
    isUnderCommand = true
  }

  private mutating func kind(_ marker: Marker, _ text: String, at content: Int) -> Expectation.Kind?
  {
    switch marker {
    case .line: return .line(LineEnding.read(text))
    case .anyLines: return .anyLines
    case .file:
      let name = text.drop { $0 == " " }
      if !name.isEmpty { return .file(String(name)) }
      let span = Span(source, max(0, content - 2)..<content)
      script.mistakes.append(
        Diagnostic(.syntax, "`#<` names a file beside the script: `#< menu.txt`", at: span))
      return nil
    case .pattern, .errorLine:
      do throws(LinePattern.Mistake) {
        let pattern = try LinePattern(
          parsing: LineEnding.read(text), marker == .pattern ? .doubled : .lenient, known: captures)
        captures.formUnion(pattern.captures)
        return marker == .pattern ? .pattern(pattern) : .errorLine(pattern)
      } catch {
        let range = content + error.range.lowerBound..<content + error.range.upperBound
        script.mistakes.append(
          Diagnostic(
            .syntax, error.message, suggestion: error.suggestion, at: Span(source, range)))
        return nil
      }
    case .directive: return nil
    }
  }

  /// A comment that looks like a marker is probably meant as one.
  mutating func warnIfNearMarker(on line: Range<Int>) {
    let bytes = source.bytes
    var start = line.lowerBound
    while start < line.upperBound, bytes[start] == UInt8(ascii: " ") { start += 1 }
    guard line.upperBound - start > 2, bytes[start] == UInt8(ascii: "#"), line.lowerBound > 0,
      let marker = Marker.of(bytes[start + 1]), marker != .anyLines
    else { return }
    let isIndented = start > line.lowerBound
    guard isIndented == (bytes[start + 2] == UInt8(ascii: " ")) else { return }
    let mend =
      isIndented ? "`\(marker.text)` begins its line" : "a space comes after `\(marker.text)`"
    script.warnings.append(
      Diagnostic(
        .syntax, "this is a comment; \(mend) when it says what is expected",
        at: Span(source, start..<line.upperBound)))
  }
}
