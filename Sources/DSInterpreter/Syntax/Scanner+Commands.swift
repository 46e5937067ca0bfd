// The ends of commands, found without parsing.
extension Scanner {
  /// The end of the command that begins at `start`, with all lines that continue it, and whether it
  /// is complete: no bracket or quote is open, and it does not end in `\`, `,` or `|`.
  ///
  /// - Parameter inBlock: whether a `}` that closes no bracket of the command ends it.
  func commandEnd(
    from start: Int, inBlock: Bool = false
  ) -> (end: Int, isComplete: Bool) {
    var scanner = self
    scanner.offset = start
    scanner.openBrackets = 0
    var isContinued = false
    var lastEnd = start
    while true {
      let lineStart = scanner.offset
      guard let token = try? scanner.next(.arguments) else {
        // Either an open quote, or an unknown escape; the latter ends the command with its line, but
        // not inside brackets.
        if scanner.openBrackets > 0, let end = scanner.badQuoteEnd(from: lineStart) {
          scanner.offset = end
          lastEnd = end
          isContinued = false
          continue
        }
        return scanner.afterBadQuote(from: lineStart)
      }
      switch token.kind {
      case .end:
        let isComplete = scanner.openBrackets == 0 && !isContinued && !endsWithBackslash(lastEnd)
        return (token.start, isComplete)
      case .separator where !isContinued || !isLineEnd(token):
        if scanner.openBrackets == 0 { return (token.start, true) }
      case .separator: break
      case .punctuation(UInt8(ascii: "}")) where inBlock && scanner.openBrackets == 0:
        return (token.start, true)
      case .punctuation(let byte):
        scanner.count(byte)
        isContinued = byte == UInt8(ascii: ",") || byte == UInt8(ascii: "|")
      default: isContinued = false
      }
      lastEnd = token.end
    }
  }

  private func isLineEnd(_ token: Token) -> Bool { script.newlineLength(at: token.start) > 0 }

  private mutating func count(_ bracket: UInt8) {
    switch bracket {
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): openBrackets += 1
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
      openBrackets = max(0, openBrackets - 1)
    default: break
    }
  }

  private func afterBadQuote(from position: Int) -> (end: Int, isComplete: Bool) {
    guard badQuoteEnd(from: position) != nil else { return (limit, false) }
    return (lineEnd(from: skippingTrivia(from: position, lineEnds: openBrackets > 0)), true)
  }

  /// The position after the quoted string in the token after `start`, ignoring bad escapes inside; nil
  /// if the quote is not closed. A token without a quote ends where it begins.
  private func badQuoteEnd(from start: Int) -> Int? {
    var position = skippingTrivia(from: start, lineEnds: openBrackets > 0)
    while let byte = byte(at: position), byte != UInt8(ascii: "\""), byte != UInt8(ascii: "'") {
      position += 1
    }
    guard let quote = byte(at: position) else { return position }
    position += 1
    while let byte = byte(at: position) {
      if byte == quote { return position + 1 }
      position += byte == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"") ? 2 : 1
    }
    return nil
  }

  /// Whether a `\` but no comment follows `position`, the end of the last token.
  private func endsWithBackslash(_ position: Int) -> Bool {
    let rest = script.bytes[min(position, limit)..<limit]
    return rest.contains(UInt8(ascii: "\\")) && !rest.contains(UInt8(ascii: "#"))
  }

  /// The end of the line that contains `position`.
  func lineEnd(from position: Int) -> Int {
    var end = position
    while end < limit, script.newlineLength(at: end) == 0 { end += 1 }
    return end
  }
}
