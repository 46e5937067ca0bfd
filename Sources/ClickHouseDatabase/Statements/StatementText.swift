import DataSources
import Databases

/// Checks a statement before it is sent: the server ignores a second statement after the rows of an
/// INSERT, and a FORMAT of the statement would replace the one that is parsed here.
struct StatementText {
  /// In uppercase; one character for a quoted text or a symbol.
  private struct Token {
    let text: String
    let isWord: Bool
    let start: String.Index
  }

  /// - Parameter isRead: whether the statement returns rows.
  /// - Throws: ``DatabaseError`` with the place of the second statement or of FORMAT.
  static func check(_ text: String, isRead: Bool) throws(DatabaseError) {
    var scanner = StatementScanner(text)
    var tokens: [Token] = []
    var end: String.Index?
    while let token = scanner.next() {
      if let end {
        guard token.kind != .semicolon else { continue }
        throw error(
          "a second statement follows; only one is allowed", text, at: text.index(after: end))
      }
      if token.kind == .semicolon {
        end = token.range.lowerBound
        continue
      }
      tokens.append(
        Token(
          text: text[token.range].uppercased(), isWord: token.kind == .word,
          start: token.range.lowerBound))
      // The rows of an INSERT follow.
      if tokens.first?.text == "INSERT", isFormat(at: tokens.count - 2, in: tokens) { return }
    }
    guard isRead else { return }
    for index in tokens.indices where isFormat(at: index, in: tokens) {
      // `SELECT … FORMAT JSON` ends with the name of the format, or with settings.
      let isLast = index + 2 == tokens.count || tokens[index + 2].text == "SETTINGS"
      guard isLast else { continue }
      throw error(
        "the shell chooses the format of the rows; leave out FORMAT", text, at: tokens[index].start)
    }
  }

  /// Words and symbols after which FORMAT is the name of a column, and words that follow one.
  private static let before: Set<String> = [
    "AS", "BY", "SELECT", ",", ".", "(", "WHERE", "AND", "OR", "NOT", "ON", "USING", "DISTINCT",
    "=",
  ]
  private static let after: Set<String> = ["ASC", "DESC", "NULLS", "COLLATE"]

  /// Whether the clause FORMAT begins at a token.
  private static func isFormat(at index: Int, in tokens: [Token]) -> Bool {
    guard index > 0, index + 1 < tokens.count, tokens[index].text == "FORMAT",
      tokens[index].isWord, tokens[index + 1].isWord
    else { return false }
    return !before.contains(tokens[index - 1].text) && !after.contains(tokens[index + 1].text)
  }

  private static func error(_ message: String, _ text: String, at place: String.Index)
    -> DatabaseError
  {
    DatabaseError(
      .engine, message, statement: text, offset: text.distance(from: text.startIndex, to: place))
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
