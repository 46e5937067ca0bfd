import DataTables

/// Finds the values of names that mean a secret: query parameters (`token=…`), members of JSON
/// (`"token": …`) and headers (`Authorization: …`).
struct NamedSecrets {
  let bytes: [UInt8]
  private(set) var found: [Replacement] = []
  /// The end of the last value: names within a value are skipped, because searching their values
  /// would take quadratic time.
  private var end = 0

  /// - Complexity: O(bytes).
  init(in bytes: [UInt8]) {
    self.bytes = bytes
    for place in bytes.indices where place >= end {
      switch bytes[place] {
      case UInt8(ascii: "="): findParameter(at: place)
      case UInt8(ascii: ":"): findMember(at: place)
      default: break
      }
    }
  }

  /// The range of the name that ends before `end`.
  private func name(before end: Int) -> Range<Int> {
    var start = end
    while start > 0, end - start < 64, Self.isName(bytes[start - 1]) { start -= 1 }
    // Skip an escaped ampersand or question mark of JSON before the name.
    let escape = bytes[start..<end].prefix(5)
    if start > 0, bytes[start - 1] == UInt8(ascii: "\\"),
      ["u0026", "u003f", "u003F"].contains(where: { escape.elementsEqual($0.utf8) })
    {
      start += 5
    }
    return start..<end
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  private static func isName(_ byte: UInt8) -> Bool {
    Base64.value(of: byte) != nil && byte != UInt8(ascii: "+") && byte != UInt8(ascii: "/")
  }

  private subscript(place: Int) -> UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func add(_ range: Range<Int>, quoted: Bool = false) {
    guard !range.isEmpty else { return }
    found.append(Replacement(range: range, isQuoted: quoted))
  }
}

extension NamedSecrets {
  private mutating func findParameter(at equals: Int) {
    let name = name(before: equals)
    guard !name.isEmpty, SecretNames.queriesContain(text(name)) else { return }
    var start = equals + 1
    var ends = Array("&\"'<>#;, \t\r\n".utf8)
    if let quote = self[start], quote.isQuote {
      start += 1
      ends = [quote]
    } else if isInBackticks(name.lowerBound) {
      ends.append(UInt8(ascii: "`"))
    }
    var end = start
    while let byte = self[end], !ends.contains(byte) {
      // In a string of JSON, a backslash ends the value, unless it escapes a slash.
      if byte == UInt8(ascii: "\\"), self[end + 1] != UInt8(ascii: "/") { break }
      end += 1
    }
    add(start..<end)
    self.end = end
  }

  /// Whether a place is between backticks, as URLs in messages are; elsewhere a backtick may be
  /// part of a secret.
  private func isInBackticks(_ place: Int) -> Bool {
    let line = bytes[..<place].suffix(1024).reversed().prefix { $0 != 0x0A }
    return !line.reduce(true) { $0 != ($1 == UInt8(ascii: "`")) }
  }

  private mutating func findMember(at colon: Int) {
    var end = colon
    while end > 0, bytes[end - 1].isSpace { end -= 1 }
    guard end > 0 else { return }
    let quote = bytes[end - 1]
    if quote.isQuote {
      end -= 1
      if end > 0, bytes[end - 1] == UInt8(ascii: "\\") { end -= 1 }
      if SecretNames.contains(text(name(before: end))) { addValue(after: colon + 1) }
    } else {
      let name = name(before: end)
      if SecretNames.headersContain(text(name)) { addLine(after: colon + 1, of: name) }
    }
  }

  /// Adds the rest of the line, or of the quoted string that contains the header.
  private mutating func addLine(after colon: Int, of name: Range<Int>) {
    let isLine = name.lowerBound == 0 || bytes[name.lowerBound - 1] == 0x0A
    var start = colon
    while self[start] == UInt8(ascii: " ") { start += 1 }
    var end = start
    while let byte = self[end], byte != 0x0A, byte != 0x0D {
      if !isLine, byte == UInt8(ascii: "\"") { break }
      if !isLine, byte == UInt8(ascii: "\\"), self[end + 1] != UInt8(ascii: "/") { break }
      end += 1
    }
    add(start..<end)
    self.end = end
  }

  /// Adds every string and number of a JSON value, including those in arrays and objects, but not
  /// the keys.
  private mutating func addValue(after colon: Int) {
    var place = colon
    var depth = 0
    defer { end = place }
    repeat {
      while let byte = self[place], byte.isSpace || byte == UInt8(ascii: ",") && depth > 0 {
        place += 1
      }
      guard let byte = self[place] else { return }
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        place += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        place += 1
      case UInt8(ascii: ":"): place += 1
      case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"):
        place = addText(at: place)
      default:
        place = addBare(at: place)
      }
    } while depth > 0
  }

  /// Adds a quoted string unless it is a key. Its quotes are escaped if it is within another
  /// string.
  /// - Returns: The position after the string.
  private mutating func addText(at open: Int) -> Int {
    let isNested = bytes[open] == UInt8(ascii: "\\")
    let quote = self[isNested ? open + 1 : open] ?? 0
    let start = open + (isNested ? 2 : 1)
    var end = start
    while let byte = self[end], byte != quote {
      if byte == UInt8(ascii: "\\") {
        if isNested, self[end + 1] == quote { break }
        end += 1
      }
      end += 1
    }
    end = min(end, bytes.count)
    let next = min(end + (isNested ? 2 : 1), bytes.count)
    var follower = next
    while let byte = self[follower], byte.isSpace { follower += 1 }
    if self[follower] != UInt8(ascii: ":") { add(min(start, end)..<end) }
    return next
  }

  private mutating func addBare(at start: Int) -> Int {
    var end = start
    while let byte = self[end], !byte.isSpace, !",]}:\"".utf8.contains(byte) { end += 1 }
    if bytes[start] == UInt8(ascii: "-") || (0x30...0x39).contains(bytes[start]) {
      add(start..<end, quoted: true)
    }
    return max(end, start + 1)
  }
}
