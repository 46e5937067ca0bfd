/// Finds the passwords, and the values of secret names in the records of requests, that a user typed:
/// `password: abc`, `query: {token: abc}`, `headers: {Authorization: "Bearer abc"}` and
/// `body: {password: abc}`.
///
/// Only a record directly after the label `query:`, `headers:` or `body:` of a command is searched,
/// because in data such names are ordinary keys: `simple [{token: 1}]` is shown unchanged. The same
/// words after `{` or `,` are keys of a record, not labels, so `simple [{query: {token: 1}}]` is
/// shown unchanged too. The names are those that a cassette redacts in queries and headers; `env NAME`
/// and `null` are not secrets.
struct ParameterSecrets {
  private let bytes: [UInt8]
  private(set) var found: [Replacement] = []
  private var place = 0
  /// Whether the current command makes or changes a request. In other commands, `password:` sets a
  /// key of objects.
  private var isInRequest = false
  /// The values of ``isInRequest`` before the open brackets.
  private var outer: [Bool] = []

  /// - Parameter bytes: one or more lines of a script. An open quote, list or record extends to the
  ///   end.
  /// - Complexity: O(bytes).
  init(in bytes: [UInt8]) {
    self.bytes = bytes
    while let byte = byte(at: place) {
      if isComment(at: place) {
        skipComment()
      } else if !isTokenStart(place) {
        advance()
      } else if byte.isQuote {
        let open = place
        skipQuoted()
        // A quote without an end may be a stray quote before a label.
        if bytes[place - 1] != byte || place == open + 1 { place = open + 1 }
      } else if isLabel("query:") {
        findParameters(SecretNames.queriesContain)
      } else if isLabel("headers:") || isLabel("body:") {
        findParameters(SecretNames.contains)
      } else if isInRequest, isLabel("password:") || isLabel("keyPassword:") {
        findPassword()
      } else {
        if hasVerbOfRequest { isInRequest = true }
        advance()
      }
    }
  }

  private func byte(at place: Int) -> UInt8? { place < bytes.count ? bytes[place] : nil }

  private func isTokenStart(_ place: Int) -> Bool {
    place == 0 || bytes[place - 1].isSpace || ",[]{}()|`".utf8.contains(bytes[place - 1])
  }

  /// Whether a label begins here, as opposed to a key of a record.
  private func isLabel(_ label: String) -> Bool {
    guard bytes[place...].starts(with: label.utf8) else { return false }
    let before = bytes[..<place].last { !$0.isSpace }
    return before != UInt8(ascii: "{") && before != UInt8(ascii: ",")
  }

  /// Searches the record after the label that begins here; without a record, skips the label.
  private mutating func findParameters(_ isSecret: (String) -> Bool) {
    place += bytes[place...].prefix { $0 != UInt8(ascii: ":") }.count + 1
    skipSpace()
    while byte(at: place) == UInt8(ascii: "(") {
      advance()
      skipSpace()
    }
    guard byte(at: place) == UInt8(ascii: "{") else { return }
    place += 1
    while skipSeparators(), byte(at: place) != UInt8(ascii: "}") {
      let name = key()
      skipSpace()
      // The value is redacted even without the colon, because a syntax error shows its line.
      if let byte = byte(at: place), ":=".utf8.contains(byte) { place += 1 }
      skipSpace()
      findValue(isSecret: isSecret(name))
    }
    if byte(at: place) != nil { place += 1 }
  }

  /// Advances by one byte, which may begin or end a command.
  private mutating func advance() {
    switch bytes[place] {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("): outer.append(isInRequest)
    case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"):
      isInRequest = outer.popLast() ?? isInRequest
    // In messages, backticks enclose commands.
    case UInt8(ascii: "`"): (isInRequest, outer) = (false, [])
    // Within a URL, these characters are part of it.
    case UInt8(ascii: "|"), UInt8(ascii: ";"):
      if byte(at: place + 1)?.isSpace ?? true { isInRequest = false }
    case 0x0A, 0x0D:
      let before = bytes[..<place].last { !" \t\r".utf8.contains($0) }
      if outer.isEmpty, before != UInt8(ascii: "\\") {
        isInRequest = false
      }
    default: break
    }
    place += 1
  }

  /// Whether a word begins here that is a verb of requests.
  private var hasVerbOfRequest: Bool {
    Self.verbsOfRequests.contains { verb in
      guard bytes[place...].starts(with: verb.utf8) else { return false }
      return byte(at: place + verb.utf8.count)?.isSpace ?? true
    }
  }

  private static let verbsOfRequests = ["open", "remote", "paginated", "load", "set"]

  /// Finds the value of the label that begins here, which is itself a secret.
  private mutating func findPassword() {
    place += bytes[place...].prefix { $0 != UInt8(ascii: ":") }.count + 1
    skipSpace()
    let start = place
    guard let first = byte(at: start), !bytes[start...].starts(with: "env ".utf8) else { return }
    if first.isQuote {
      skipQuoted()
    } else {
      while let byte = byte(at: place), !byte.isSpace, !"|;)`".utf8.contains(byte) { place += 1 }
    }
    add(start..<place)
  }

  /// The key that begins here, quoted or not.
  private mutating func key() -> String {
    let start = place
    if let byte = byte(at: place), byte.isQuote {
      skipQuoted()
      return String(decoding: bytes[start + 1..<max(start + 1, place - 1)], as: UTF8.self)
    }
    while let byte = byte(at: place), !byte.isSpace, !":=,[]{}()".utf8.contains(byte) {
      place += 1
    }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  /// Skips the value that begins here, and adds it, or each element of a list, if it is secret.
  private mutating func findValue(isSecret: Bool) {
    guard isSecret, byte(at: place) == UInt8(ascii: "[") else {
      let value = value(endingAt: "}")
      if isSecret { add(value) }
      return
    }
    place += 1
    while skipSeparators(), let byte = byte(at: place), byte != UInt8(ascii: "]") {
      let element = value(endingAt: "]")
      add(element)
    }
    // Anything between the list and the next comma is invalid, but may still be a secret.
    if byte(at: place) != nil { place += 1 }
    skipSpace()
    add(value(endingAt: "}"))
  }

  /// Skips to the comma or the bracket that ends the value that begins here.
  /// - Returns: the range of the value, without white space at its end.
  private mutating func value(endingAt closing: Unicode.Scalar) -> Range<Int> {
    let start = place
    var end = place
    var depth = 0
    while let byte = byte(at: place) {
      if depth == 0, byte == UInt8(ascii: ",") || byte == UInt8(ascii: closing) { break }
      if place > start, isComment(at: place) {
        skipComment()
        continue
      }
      if byte.isQuote, place == start || isTokenStart(place) {
        skipQuoted()
      } else {
        if "[{(".utf8.contains(byte) { depth += 1 }
        if "]})".utf8.contains(byte) { depth = max(0, depth - 1) }
        place += 1
      }
      if !byte.isSpace { end = place }
    }
    return start..<end
  }

  private mutating func add(_ value: Range<Int>) {
    var range = value
    guard let first = bytes[range].first, let last = bytes[range].last else { return }
    if first.isQuote {
      let isClosed = range.count > 1 && last == first
      range = range.lowerBound + 1..<range.upperBound - (isClosed ? 1 : 0)
    }
    if !range.isEmpty, !isHarmless(value) { found.append(Replacement(range: range)) }
  }

  private func isHarmless(_ value: Range<Int>) -> Bool {
    let words = bytes[value].split(whereSeparator: \.isSpace)
    if words.count == 2 { return words[0].elementsEqual("env".utf8) }
    return words.count == 1 && words[0].elementsEqual("null".utf8)
  }

  private mutating func skipSpace() {
    while let byte = byte(at: place), byte.isSpace { place += 1 }
  }

  /// Skips white space, commas and comments.
  /// - Returns: Whether anything follows.
  private mutating func skipSeparators() -> Bool {
    while let byte = byte(at: place) {
      if isComment(at: place) {
        skipComment()
      } else if byte.isSpace || byte == UInt8(ascii: ",") {
        place += 1
      } else {
        return true
      }
    }
    return false
  }

  private func isComment(at place: Int) -> Bool {
    bytes[place] == UInt8(ascii: "#") && (place == 0 || bytes[place - 1].isSpace)
  }

  private mutating func skipComment() {
    while let byte = byte(at: place), byte != 0x0A, byte != 0x0D { place += 1 }
  }

  private mutating func skipQuoted() {
    let quote = bytes[place]
    place += 1
    while let byte = byte(at: place) {
      place += byte == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"") ? 2 : 1
      if byte == quote { break }
    }
    place = min(place, bytes.count)
  }
}
