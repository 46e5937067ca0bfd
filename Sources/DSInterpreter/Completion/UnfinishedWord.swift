import DataTables

/// The word at the cursor, as far as it has been typed.
struct UnfinishedWord: Equatable {
  /// The typed text, with an opening quote.
  let text: String
  /// The UTF-8 offset of its first byte.
  let start: Int
  /// The string so far, if the word is a string whose quote is open; nil for other words.
  let string: String?

  init(_ text: String, at start: Int, string: String? = nil) {
    self.text = text
    self.start = start
    self.string = string
  }

  /// The open quote; nil for an unquoted word.
  var quote: Character? { string == nil ? nil : text.first }
  /// The text without quotes.
  var content: String { string ?? text }
  var isEmpty: Bool { text.isEmpty }
}

/// The end of a text that ends within a quoted string.
enum UnfinishedString {
  /// The cursor is in the string.
  case word(UnfinishedWord)
  /// The cursor is in an expression of the string, which begins at an offset.
  case expression(Int)

  /// Returns nil if the text at `start`, which is not a token, does not end within a string that a
  /// character could continue.
  init?(at start: Int, in scanner: Scanner) {
    guard scanner.isQuote(start) else {
      // A word whose quoted key is not closed: `address."zip c`.
      let isOpen = (start..<scanner.limit).contains { position in
        position > start && scanner.isQuote(position)
          && scanner.byte(at: position - 1) == UInt8(ascii: ".")
          && (try? scanner.quotedEnd(at: position)) == nil
      }
      guard isOpen else { return nil }
      self = .word(UnfinishedWord(scanner.script.string(start..<scanner.limit), at: start))
      return
    }
    var position = start + 1
    while let byte = scanner.byte(at: position) {
      if byte == scanner.byte(at: start) { return nil }
      guard byte == UInt8(ascii: "\\"), scanner.byte(at: start) == UInt8(ascii: "\"") else {
        position += 1
        continue
      }
      if scanner.byte(at: position + 1) == UInt8(ascii: "(") {
        guard let end = try? scanner.interpolationEnd(at: position) else {
          self = .expression(position + 2)
          return
        }
        position = end
      } else if let end = try? scanner.escape(at: position).end {
        position = end
      } else {
        return nil
      }
    }
    let text = scanner.script.string(start..<scanner.limit)
    let closed = Scanner(Span(ScriptText(text + text.prefix(1)), 0..<text.utf8.count + 1))
    guard let string = try? closed.quoted(at: 0).text else { return nil }
    self = .word(UnfinishedWord(text, at: start, string: string))
  }
}
