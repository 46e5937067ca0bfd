import Databases

/// Checks a statement before it is sent: the server ignores a second statement after the rows of an
/// INSERT, and a FORMAT of the statement would replace the one that is parsed here.
struct StatementText {
  private enum Token {
    case word(Substring)
    case semicolon
    case other
  }

  /// - Parameter isRead: whether the statement returns rows.
  /// - Throws: ``DatabaseError`` with the place of the second statement or of FORMAT.
  static func check(_ text: String, isRead: Bool) throws(DatabaseError) {
    var scanner = StatementScanner(text)
    var end: String.Index?
    var words: [(text: String, start: String.Index)] = []
    while let token = scanner.next() {
      if let end {
        guard token.kind != .semicolon else { continue }
        throw DatabaseError(
          .engine, "a second statement follows; only one is allowed", statement: text,
          offset: text.distance(from: text.startIndex, to: text.index(after: end)))
      }
      switch token.kind {
      case .semicolon: end = token.range.lowerBound
      case .word: words.append((text[token.range].uppercased(), token.range.lowerBound))
      case .other: words.append(("", token.range.lowerBound))
      }
    }
    guard isRead, let first = words.first?.text, first != "INSERT" else { return }
    // `SELECT … FORMAT JSON` ends with the name of the format, or with settings.
    for (index, word) in words.enumerated().dropFirst()
    where word.text == "FORMAT" && index + 1 < words.count && !words[index + 1].text.isEmpty
      && (index + 2 == words.count || words[index + 2].text == "SETTINGS")
      && words[index - 1].text != "AS"
    {
      throw DatabaseError(
        .engine, "the shell chooses the format of the rows; leave out FORMAT", statement: text,
        offset: text.distance(from: text.startIndex, to: word.start))
    }
  }
}

/// Splits SQL into words, semicolons and other tokens; skips blanks and comments.
struct StatementScanner {
  enum Kind { case word, semicolon, other }

  private let text: String.UnicodeScalarView
  private var index: String.Index

  init(_ text: String) {
    self.text = text.unicodeScalars
    index = text.startIndex
  }

  mutating func next() -> (kind: Kind, range: Range<String.Index>)? {
    skipBlanks()
    guard index < text.endIndex else { return nil }
    let start = index
    let scalar = text[index]
    advance()
    if scalar == ";" { return (.semicolon, start..<index) }
    if scalar == "'" || scalar == "`" || scalar == "\"" {
      skipQuoted(scalar)
      return (.other, start..<index)
    }
    guard Self.isWord(scalar) else { return (.other, start..<index) }
    while index < text.endIndex, Self.isWord(text[index]) { advance() }
    return (.word, start..<index)
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  private mutating func advance() { if index < text.endIndex { index = text.index(after: index) } }

  private func starts(with mark: String) -> Bool {
    text[index...].starts(with: mark.unicodeScalars)
  }

  private mutating func skipBlanks() {
    while index < text.endIndex {
      if text[index].properties.isWhitespace {
        advance()
      } else if starts(with: "--") {
        while index < text.endIndex, text[index] != "\n" { advance() }
      } else if starts(with: "/*") {
        while index < text.endIndex, !starts(with: "*/") { advance() }
        advance()
        advance()
      } else {
        return
      }
    }
  }

  private mutating func skipQuoted(_ quote: Unicode.Scalar) {
    while index < text.endIndex {
      let scalar = text[index]
      advance()
      if scalar == "\\" { advance() } else if scalar == quote { return }
    }
  }
}
