import DataTables

/// Reads tokens from a script on demand, because the end of a word depends on its context.
struct Scanner {
  enum Mode: Equatable {
    /// Unquoted words are literals and end at white space or one of `, [ ] { } ( ) |`.
    case arguments
    /// Unquoted words are names; they also end at `= < > ! &` and before an index that directly
    /// follows, as in `a[0]`.
    case expression
  }

  let script: ScriptText
  var offset: Int
  /// The end of the text, or of the part that is scanned.
  let limit: Int
  /// The number of open brackets; inside brackets a line end is white space.
  var openBrackets = 0
  // The last peeked token and the state in which it was scanned, as separate fields: an optional
  // struct would be copied as a whole for a comparison.
  private var peeked = Token(kind: .end, start: 0, end: 0)
  private var peekedOffset = -1
  private var peekedBrackets = 0
  private var peekedMode = Mode.arguments

  init(_ span: Span) {
    script = span.script
    offset = span.start
    limit = span.end
  }

  func byte(at position: Int) -> UInt8? { position < limit ? script.bytes[position] : nil }

  func span(_ range: Range<Int>) -> Span { Span(script, range) }

  func error(_ message: String, at range: Range<Int>) -> Diagnostic {
    Diagnostic(.syntax, message, at: span(range))
  }

  /// Returns the next token without advancing.
  mutating func peek(_ mode: Mode) throws(Diagnostic) -> Token {
    if peekedOffset == offset, peekedBrackets == openBrackets,
      peekedMode == mode || peeked.isSameInAllModes
    {
      return peeked
    }
    peeked = try scan(mode)
    peekedOffset = offset
    peekedBrackets = openBrackets
    peekedMode = mode
    return peeked
  }

  mutating func next(_ mode: Mode) throws(Diagnostic) -> Token {
    let token = try peek(mode)
    offset = token.end
    return token
  }

  /// Advances past a peeked token.
  mutating func skip(_ token: Token) { offset = token.end }

  private func scan(_ mode: Mode) throws(Diagnostic) -> Token {
    let start = skippingTrivia(from: offset, lineEnds: openBrackets > 0)
    guard let first = byte(at: start) else { return Token(kind: .end, start: start, end: start) }
    switch first {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
      let end = start + script.newlineLength(at: start)
      return Token(kind: .separator, start: start, end: end)
    case UInt8(ascii: ";") where isBreak(at: start + 1):
      return Token(kind: .separator, start: start, end: start + 1)
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let end = try quotedEnd(at: start)
      guard byte(at: end) == UInt8(ascii: ":"), isBreak(at: end + 1), mode == .arguments else {
        return Token(kind: .quoted, start: start, end: end)
      }
      return Token(kind: .label, start: start, end: end + 1)
    default: break
    }
    if mode == .expression, let symbol = symbol(at: start) { return symbol }
    if Self.isPunctuation(first) {
      return Token(kind: .punctuation(first), start: start, end: start + 1)
    }
    return try word(at: start, mode)
  }

  private func symbol(at start: Int) -> Token? {
    let next = byte(at: start + 1)
    let isEqual = next == UInt8(ascii: "=")
    let symbol: Token.Symbol
    var length = isEqual ? 2 : 1
    switch byte(at: start) {
    // The second spelling of these operators is that of Cocoa.
    case UInt8(ascii: "=") where next == UInt8(ascii: ">"):
      (symbol, length) = (.comparison(.greaterOrEqual), 2)
    case UInt8(ascii: "=") where next == UInt8(ascii: "<"):
      (symbol, length) = (.comparison(.lessOrEqual), 2)
    case UInt8(ascii: "<") where next == UInt8(ascii: ">"):
      (symbol, length) = (.comparison(.notEqual), 2)
    case UInt8(ascii: "="): symbol = isEqual ? .comparison(.equal) : .assignment
    case UInt8(ascii: "!"): symbol = isEqual ? .comparison(.notEqual) : .not
    case UInt8(ascii: "<"): symbol = .comparison(isEqual ? .lessOrEqual : .less)
    case UInt8(ascii: ">"): symbol = .comparison(isEqual ? .greaterOrEqual : .greater)
    case UInt8(ascii: "&") where next == UInt8(ascii: "&"): (symbol, length) = (.and, 2)
    case UInt8(ascii: "|") where next == UInt8(ascii: "|"): (symbol, length) = (.or, 2)
    default: return nil
    }
    return Token(kind: .symbol(symbol), start: start, end: start + length)
  }
}

// The text of tokens.
extension Scanner {
  /// The text of a word, of a quoted string without its quotes, or of a label without its colon.
  ///
  /// - Parameter token: a token of this script.
  func text(of token: Token) throws(Diagnostic) -> String {
    switch token.kind {
    case .quoted: try quoted(at: token.start).text
    case .label where isQuote(token.start): try quoted(at: token.start).text
    case .label: script.string(token.start..<token.end - 1)
    default: script.string(token.start..<token.end)
    }
  }

  func isQuote(_ position: Int) -> Bool {
    byte(at: position) == UInt8(ascii: "\"") || byte(at: position) == UInt8(ascii: "'")
  }
}

// The separators of tokens.
extension Scanner {
  static func isPunctuation(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "|"), UInt8(ascii: "("), UInt8(ascii: ")"),
      UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"):
      true
    default: false
    }
  }

  /// The position after white space, comments and line ends that `\` continues; with `lineEnds`,
  /// also after all other line ends.
  func skippingTrivia(from start: Int, lineEnds: Bool) -> Int {
    var position = start
    while let byte = byte(at: position) {
      // The first byte of most tokens cannot begin white space or a comment.
      if byte > UInt8(ascii: "#"), byte < 0x80, byte != UInt8(ascii: "\\") { break }
      if byte == UInt8(ascii: " ") {
        position += 1
        continue
      }
      let space = spaceLength(at: position)
      let newline = script.newlineLength(at: position)
      if space > 0 {
        position += space
      } else if newline > 0, lineEnds {
        position += newline
      } else if byte == UInt8(ascii: "\\"), let next = continuation(at: position) {
        position = next
      } else if byte == UInt8(ascii: "#"), beginsComment(at: position) {
        while position < limit, script.newlineLength(at: position) == 0 { position += 1 }
      } else {
        break
      }
    }
    return position
  }

  /// `#` begins a comment at the start of a line or after white space.
  private func beginsComment(at position: Int) -> Bool {
    guard position > 0 else { return true }
    let before = script.bytes[position - 1]
    if before == UInt8(ascii: "\n") || before == UInt8(ascii: "\r") { return true }
    // The last byte of a no-break space also ends other characters, so compare all bytes.
    return (1...3).contains { $0 <= position && spaceLength(at: position - $0) == $0 }
  }

  /// The position after a `\` that ends its line, or nil when the `\` at `position` does not.
  func continuation(at position: Int) -> Int? {
    var next = position + 1
    while spaceLength(at: next) > 0 { next += spaceLength(at: next) }
    if next >= limit { return limit }
    let newline = script.newlineLength(at: next)
    return newline > 0 ? next + newline : nil
  }

  /// The length of the white space character at `position`, including no-break spaces, which pasted
  /// text contains.
  func spaceLength(at position: Int) -> Int {
    switch byte(at: position) {
    case 0x20, 0x09, 0x0B, 0x0C: return 1
    case 0xC2: return byte(at: position + 1) == 0xA0 ? 2 : 0
    case 0xE2:
      guard byte(at: position + 1) == 0x80, let last = byte(at: position + 2) else { return 0 }
      return (0x80...0x8A).contains(last) || last == 0xAF ? 3 : 0
    case 0xE3:
      return byte(at: position + 1) == 0x80 && byte(at: position + 2) == 0x80 ? 3 : 0
    default: return 0
    }
  }

  /// Whether white space, a line end or the end of the text is at `position`.
  func isBreak(at position: Int) -> Bool {
    position >= limit || spaceLength(at: position) > 0 || script.newlineLength(at: position) > 0
  }
}
