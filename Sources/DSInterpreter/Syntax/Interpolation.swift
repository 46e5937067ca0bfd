/// A quoted string with the values of expressions: `"\(count) foods"`.
struct Interpolation: Sendable {
  enum Segment: Sendable {
    case text(String)
    case value(Expression)
  }
  let segments: [Segment]

  /// The expressions, in order.
  var expressions: [Expression] {
    segments.compactMap { if case .value(let expression) = $0 { expression } else { nil } }
  }
}

extension Parser {
  /// The content of a quoted string with expressions; nil for a token without them.
  mutating func interpolation(_ token: Token) throws(Diagnostic) -> Interpolation? {
    guard let parts = try scanner.interpolatedParts(at: token.start) else { return nil }
    numberOfInsertions += 1
    var segments: [Interpolation.Segment] = []
    for part in parts {
      switch part {
      case .text(let text): segments.append(.text(text))
      case .expression(let range): segments.append(.value(try expression(in: range, of: token)))
      }
    }
    return Interpolation(segments: segments)
  }

  /// Parses an expression inside a quoted string.
  private mutating func expression(
    in range: Range<Int>, of token: Token
  ) throws(Diagnostic) -> Expression {
    let (end, commands) = (scanner.offset, commands)
    defer { scanner.offset = end }
    return try nested(at: token) { outer throws(Diagnostic) in
      var parser = Parser(Span(outer.scanner.script, range), commands: commands)
      // Line ends are white space, as in brackets.
      parser.scanner.openBrackets = 1
      parser.depth = outer.depth
      let first = try parser.scanner.peek(.expression)
      guard first.kind != .end else {
        throw outer.scanner.error(
          "expected an expression in `\\(…)`", at: range.lowerBound - 2..<range.lowerBound)
      }
      let value = try parser.expression()
      let next = try parser.scanner.peek(.expression)
      guard next.kind == .end else {
        if case .name = value.kind, try parser.verb(at: first) != nil {
          let command = Span(outer.scanner.script, range)
          throw Diagnostic(
            .syntax, "put the command in parentheses: `\\((\(command.text)))`", at: command)
        }
        throw parser.unexpected(next)
      }
      return value
    }
  }
}

extension Scanner {
  /// The maximum nesting of strings in the expressions of strings.
  private static let maxStringDepth = 16

  enum InterpolatedPart {
    case text(String)
    /// The bytes between `\(` and `)`.
    case expression(Range<Int>)
  }

  /// The parts of the quoted string that begins at `start`; nil if it contains no `\(`.
  func interpolatedParts(at start: Int) throws(Diagnostic) -> [InterpolatedPart]? {
    guard byte(at: start) == UInt8(ascii: "\"") else { return nil }
    let end = try quotedEnd(at: start)
    guard script.bytes[start..<end].contains(UInt8(ascii: "\\")) else { return nil }
    var parts: [InterpolatedPart] = []
    var text: [UInt8] = []
    var position = start + 1
    var hasExpression = false
    while position < end - 1 {
      guard script.bytes[position] == UInt8(ascii: "\\") else {
        text.append(script.bytes[position])
        position += 1
        continue
      }
      if let close = try interpolationEnd(at: position) {
        hasExpression = true
        if !text.isEmpty { parts.append(.text(String(decoding: text, as: UTF8.self))) }
        text = []
        parts.append(.expression(position + 2..<close - 1))
        position = close
      } else {
        let (scalar, next) = try escape(at: position)
        text.append(contentsOf: String(Character(scalar)).utf8)
        position = next
      }
    }
    guard hasExpression else { return nil }
    if !text.isEmpty { parts.append(.text(String(decoding: text, as: UTF8.self))) }
    return parts
  }

  /// The position after the `)` of the `\(` at `start`; nil for any other escape.
  ///
  /// - Parameter depth: the number of strings around the one that contains it.
  func interpolationEnd(at start: Int, depth strings: Int = 0) throws(Diagnostic) -> Int? {
    guard byte(at: start + 1) == UInt8(ascii: "(") else { return nil }
    guard strings < Self.maxStringDepth else {
      throw Diagnostic(
        .limit, "strings are nested deeper than \(Self.maxStringDepth) levels",
        at: span(start..<start + 2))
    }
    var depth = 1
    var position = start + 2
    while let byte = byte(at: position) {
      switch byte {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
        if depth == 0 { return position + 1 }
      case UInt8(ascii: "\""):
        // The quote was probably meant as the end of the string around the expression.
        guard let end = try stringEnd(at: position, depth: strings + 1) else {
          throw notClosed(start)
        }
        position = end
        continue
      case UInt8(ascii: "'") where isWordBreak(before: position):
        guard let end = try stringEnd(at: position, depth: strings + 1) else {
          throw notClosed(start)
        }
        position = end
        continue
      default: break
      }
      position += 1
    }
    throw notClosed(start)
  }

  private func notClosed(_ start: Int) -> Diagnostic {
    error("this `\\(` is not closed: `)` is missing", at: start..<start + 2)
  }

  /// Whether a quote at `position` opens a string: within a word, as in `don't`, it does not.
  private func isWordBreak(before position: Int) -> Bool {
    guard let byte = byte(at: position - 1) else { return true }
    return spaceLength(at: position - 1) > 0
      || byte < 0x80 && !Unicode.Scalar(byte).properties.isAlphabetic
        && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
