import DataTables

// Words, labels, indexes and keys.
extension Scanner {
  /// The word or label that begins at `start`.
  func word(at start: Int, _ mode: Mode) throws(Diagnostic) -> Token {
    let end = try wordEnd(from: start, mode)
    if end - start > 1, script.bytes[end - 1] == UInt8(ascii: ":"), isBreak(at: end) {
      let name = script.string(start..<end - 1)
      if Name.isValidPath(name) { return Token(kind: .label, start: start, end: end) }
    }
    return Token(kind: .word, start: start, end: end)
  }

  /// The end of the unquoted key that begins at `start`: the next dot, or the end of the word. A
  /// path of any length is scanned once.
  func keyEnd(from start: Int) -> Int {
    var position = start
    while let byte = byte(at: position), byte != UInt8(ascii: "."),
      !endsWord(byte, at: position, .expression)
    {
      position += 1
    }
    return position
  }

  private func wordEnd(from start: Int, _ mode: Mode) throws(Diagnostic) -> Int {
    var position = start
    while let byte = byte(at: position) {
      if Self.isPlain(byte) {
        position += 1
        continue
      }
      if endsWord(byte, at: position, mode) { break }
      let previous = position > start ? self.byte(at: position - 1) : nil
      if byte == UInt8(ascii: "["), let end = touchingIndexEnd(at: position) {
        position = end
      } else if byte == UInt8(ascii: "["), let end = hostEnd(at: position, from: start) {
        position = end
      } else if byte == UInt8(ascii: "[") {
        break
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"),
        previous == UInt8(ascii: ".")
      {
        position = try quotedEnd(at: position)
      } else {
        position += 1
      }
    }
    // A byte that cannot begin a word is a word of its own, so that scanning always advances.
    return max(position, min(start + 1, limit))
  }

  /// The end of an address in brackets that is the host of a URL, as in `http://[::1]:8000/`, at
  /// `position` of a word; nil for other brackets.
  private func hostEnd(at position: Int, from start: Int) -> Int? {
    guard script.bytes[start..<position].suffix(3).elementsEqual("://".utf8) else { return nil }
    var end = position + 1
    while let byte = byte(at: end), byte != UInt8(ascii: "]") {
      guard Self.isPlain(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "%") else {
        return nil
      }
      end += 1
    }
    return byte(at: end) == nil || end == position + 1 ? nil : end + 1
  }

  /// Whether the byte belongs to a word in every context.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  private func endsWord(_ byte: UInt8, at position: Int, _ mode: Mode) -> Bool {
    switch byte {
    case UInt8(ascii: "["): mode == .expression
    case UInt8(ascii: ";"): isBreak(at: position + 1)
    case UInt8(ascii: "\\"): continuation(at: position) != nil
    case UInt8(ascii: "="), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "!"),
      UInt8(ascii: "&"):
      mode == .expression
    default: Self.isPunctuation(byte) || isBreak(at: position)
    }
  }

  /// The end of `[0]`, `[1, 2]`, `[0:3]` or `[LAST]` at `position`; nil for other brackets.
  func touchingIndexEnd(at position: Int) -> Int? {
    touchingIndex(at: position)?.end ?? touchingStep(at: position)?.end
  }

  /// The step of `[0:3]`, `[1:]`, `[FIRST]`, `[LAST]` or `[SIZE]` at `position`.
  func touchingStep(at position: Int) -> (step: ObjectKeyPath.Step, end: Int)? {
    guard byte(at: position) == UInt8(ascii: "[") else { return nil }
    var end = position + 1
    while let byte = byte(at: end), byte != UInt8(ascii: "]") {
      guard byte == UInt8(ascii: " ") || Self.isInStep(byte) else { return nil }
      end += 1
    }
    guard byte(at: end) == UInt8(ascii: "]"),
      let step = ObjectKeyPath.Step(index: script.string(position + 1..<end))
    else { return nil }
    return (step, end + 1)
  }

  private static func isInStep(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: ":"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// The numbers of `[0]` or `[1, 2]` at `position`.
  func touchingIndex(at position: Int) -> (numbers: [Word], end: Int)? {
    guard byte(at: position) == UInt8(ascii: "[") else { return nil }
    var numbers: [Word] = []
    var next = position
    repeat {
      next += 1
      while spaceLength(at: next) > 0 { next += spaceLength(at: next) }
      let start = next
      if byte(at: next) == UInt8(ascii: "-") { next += 1 }
      let digits = next
      while let byte = byte(at: next), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        next += 1
      }
      guard next > digits else { return nil }
      numbers.append(Word(text: script.string(start..<next), span: span(start..<next)))
      while spaceLength(at: next) > 0 { next += spaceLength(at: next) }
    } while byte(at: next) == UInt8(ascii: ",") && numbers.count < 2
    return byte(at: next) == UInt8(ascii: "]") ? (numbers, next + 1) : nil
  }

  /// The key of a record at the current position, and the position after its `:`; nil for other
  /// text.
  func recordKey() throws(Diagnostic) -> (key: Word, end: Int)? {
    let start = skippingTrivia(from: offset, lineEnds: true)
    var text: String
    var end = start
    if isQuote(start) {
      (text, end) = try quoted(at: start)
    } else {
      while let byte = byte(at: end), byte != UInt8(ascii: ":"), !Self.isPunctuation(byte),
        !isBreak(at: end)
      {
        end += 1
      }
      text = script.string(start..<end)
    }
    let colon = skippingTrivia(from: end, lineEnds: true)
    guard end > start, byte(at: colon) == UInt8(ascii: ":") else { return nil }
    return (Word(text: text, span: span(start..<end)), colon + 1)
  }
}

/// The syntax of the names that `let` binds.
package enum Name {
  /// Keywords.
  package static let reserved: Set<String> = ["true", "false", "null", "nil", "self", "_"]

  /// Whether `text` consists of letters, digits, `_` and `-`, and begins with a letter or `_`.
  package static func isValid(_ text: String) -> Bool {
    // Most names are ASCII, in which each byte is a character.
    let bytes = text.utf8
    if let first = bytes.first, bytes.allSatisfy({ $0 < 0x80 }) {
      return begins(with: first) && bytes.dropFirst().allSatisfy(continues)
    }
    guard let first = text.first, first.isLetter || first == "_" else { return false }
    return text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
  }

  /// Whether `text` is a valid name, or several of them with dots between them.
  static func isValidPath(_ text: String) -> Bool {
    isValid(text)
      || text.contains(".")
        && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy {
          isValid(String($0))
        }
  }

  private static func begins(with byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func continues(with byte: UInt8) -> Bool {
    begins(with: byte) || byte == UInt8(ascii: "-")
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Converts any text to a valid name: `2012 sales` becomes `_2012_sales`.
  static func valid(from text: String) -> String {
    var name = String(
      text.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" ? $0 : "_" })
    if !isValid(name) { name = "_" + name }
    return reserved.contains(name.lowercased()) ? name + "_" : name
  }
}
