import DataTables

/// A form of a secret to search for: its text, its base64, also broken into lines, or its hexadecimal
/// digits. A text also matches its percent-encoded and JSON-escaped forms, both also encoded twice, its
/// entities in HTML, and quotation marks doubled as in CSV.
struct SecretNeedle: Sendable {
  private let scalars: [Unicode.Scalar]
  /// Whether adjacent letters and digits are replaced too: in base64, they contain parts of the
  /// secret.
  private let hasMargins: Bool
  let count: Int

  private init(_ text: String, hasMargins: Bool) {
    scalars = Array(text.unicodeScalars)
    self.hasMargins = hasMargins
    count = text.utf8.count
  }

  /// All forms of a secret; none for an empty one.
  static func forms(of secret: [UInt8]) -> [SecretNeedle] {
    guard !secret.isEmpty else { return [] }
    var forms = [SecretNeedle(String(decoding: secret, as: UTF8.self), hasMargins: false)]
    for text in base64Cores(of: secret) {
      forms.append(SecretNeedle(text, hasMargins: true))
      let forURLs = String(text.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
      if forURLs != text { forms.append(SecretNeedle(forURLs, hasMargins: true)) }
    }
    if secret.count >= minHexadecimalCount {
      for digits in ["0123456789abcdef", "0123456789ABCDEF"].map({ Array($0) }) {
        let text = String(secret.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
        forms.append(SecretNeedle(text, hasMargins: false))
      }
    }
    return forms
  }

  /// The digits of a shorter secret would match other numbers.
  private static let minHexadecimalCount = 4

  /// The base64 digits that depend on the secret alone, for each offset at which it can begin in a
  /// group of three bytes. Results of fewer than four digits are omitted: they would match other
  /// text.
  private static func base64Cores(of secret: [UInt8]) -> [String] {
    (0..<3).compactMap { shift in
      let text = Base64.encoded([UInt8](repeating: 0, count: shift) + secret)
      let length = 8 * (shift + secret.count) / 6
      let core = text.prefix(length).dropFirst(shift == 0 ? 0 : shift + 1)
      return core.count >= 4 ? String(core) : nil
    }
  }

  /// The bytes with which an occurrence of the secret can begin.
  var firstBytes: [UInt8] {
    guard let first = scalars.first else { return [] }
    return [
      Array(String(first).utf8)[0], UInt8(ascii: "%"), UInt8(ascii: "\\"), UInt8(ascii: "&"),
    ]
      + (first == " " ? [UInt8(ascii: "+")] : [])
  }

  /// The range of the secret in `bytes` if it begins at `start`.
  func range(in bytes: [UInt8], at start: Int) -> Range<Int>? {
    var ends = [start]
    for scalar in scalars {
      var next: [Int] = []
      for end in ends {
        // Base64 is often broken into lines.
        let start = hasMargins && end > start ? Self.endOfLineBreak(in: bytes, at: end) : end
        for newEnd in Self.ends(of: scalar, in: bytes, at: start) where !next.contains(newEnd) {
          next.append(newEnd)
        }
      }
      guard !next.isEmpty else { return nil }
      ends = next
    }
    guard let end = ends.max() else { return nil }
    return hasMargins ? Self.widened(start..<end, in: bytes) : start..<end
  }

  /// The end of a line break at `place`, also of one that is escaped; `place` without one.
  private static func endOfLineBreak(in bytes: [UInt8], at place: Int) -> Int {
    let rest = bytes[place...]
    for lineBreak in ["\r\n", "\n", "\\r\\n", "\\n"] where rest.starts(with: lineBreak.utf8) {
      return place + lineBreak.utf8.count
    }
    return place
  }

  private static func widened(_ range: Range<Int>, in bytes: [UInt8]) -> Range<Int> {
    var start = range.lowerBound
    while start > 0, isMargin(bytes[start - 1]) { start -= 1 }
    var end = range.upperBound
    while end < bytes.count, isMargin(bytes[end]) { end += 1 }
    return start..<end
  }

  // Not `/` and `+`: a path would be taken for base64.
  private static func isMargin(_ byte: UInt8) -> Bool {
    byte != UInt8(ascii: "/") && byte != UInt8(ascii: "+") && Base64.value(of: byte) != nil
  }
}

// The encodings of a character.
extension SecretNeedle {
  private static func ends(
    of scalar: Unicode.Scalar, in bytes: [UInt8], at place: Int
  ) -> [Int] {
    guard place < bytes.count else { return [] }
    var ends: [Int] = []
    let plain = Array(String(scalar).utf8)
    if bytes[place...].starts(with: plain) { ends.append(place + plain.count) }
    switch bytes[place] {
    case UInt8(ascii: "%"):
      let isEncoded = plain.indices.allSatisfy {
        PercentEncoding.byte(in: bytes, at: place + 3 * $0) == plain[$0]
      }
      if isEncoded { ends.append(place + 3 * plain.count) }
      if let end = endOfDoublePercents(plain, in: bytes, at: place) { ends.append(end) }
    case UInt8(ascii: "&"):
      if let end = endOfEntity(of: scalar, in: bytes, at: place) { ends.append(end) }
    case UInt8(ascii: "\""):
      // Doubled, as in CSV.
      if scalar == "\"", bytes[place...].starts(with: "\"\"".utf8) { ends.append(place + 2) }
    case UInt8(ascii: "+"):
      if scalar == " " { ends.append(place + 1) }
    case UInt8(ascii: "\\"):
      if let end = endOfEscape(of: scalar, in: bytes, at: place) { ends.append(end) }
      if let end = endOfDoubleEscape(of: scalar, in: bytes, at: place) { ends.append(end) }
    default: break
    }
    return ends
  }

  private static let escapes: [UInt8: Unicode.Scalar] = [
    UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/",
    UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "f"): "\u{c}", UInt8(ascii: "n"): "\n",
    UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
  ]

  private static func endOfEscape(
    of scalar: Unicode.Scalar, in bytes: [UInt8], at place: Int
  ) -> Int? {
    guard place + 1 < bytes.count else { return nil }
    if escapes[bytes[place + 1]] == scalar { return place + 2 }
    for (index, unit) in String(scalar).utf16.enumerated()
    where unicodeEscape(in: bytes, at: place + 6 * index) != unit {
      return nil
    }
    return place + 6 * String(scalar).utf16.count
  }

  /// The end of an escape in JSON that is itself a string in JSON: `\\\"`, `\\n`, `\\u0041`.
  private static func endOfDoubleEscape(
    of scalar: Unicode.Scalar, in bytes: [UInt8], at place: Int
  ) -> Int? {
    let backslash = UInt8(ascii: "\\")
    guard place + 2 < bytes.count, bytes[place + 1] == backslash else { return nil }
    let third = bytes[place + 2]
    if third == backslash {
      // A quotation mark and a backslash are escaped themselves.
      guard place + 3 < bytes.count, ["\"", "\\"].contains(scalar),
        escapes[bytes[place + 3]] == scalar
      else { return nil }
      return place + 4
    }
    if third != UInt8(ascii: "\""), escapes[third] == scalar { return place + 3 }
    for (index, unit) in String(scalar).utf16.enumerated()
    where bytes.dropFirst(place + 7 * index).first != backslash
      || unicodeEscape(in: bytes, at: place + 7 * index + 1) != unit
    {
      return nil
    }
    return place + 7 * String(scalar).utf16.count
  }

  /// The end of bytes whose percent signs are encoded again: `%2541`.
  private static func endOfDoublePercents(
    _ plain: [UInt8], in bytes: [UInt8], at place: Int
  ) -> Int? {
    for (index, byte) in plain.enumerated() {
      let start = place + 5 * index
      guard start + 4 < bytes.count, bytes[start...].starts(with: "%25".utf8),
        let high = bytes[start + 3].hexadecimalDigit, let low = bytes[start + 4].hexadecimalDigit,
        UInt8(high << 4 | low) == byte
      else { return nil }
    }
    return place + 5 * plain.count
  }

  private static let entities: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
  ]

  /// The end of an entity of HTML or XML: `&amp;`, `&#38;`, `&#x26;`.
  private static func endOfEntity(
    of scalar: Unicode.Scalar, in bytes: [UInt8], at place: Int
  ) -> Int? {
    let name = bytes[(place + 1)...].prefix(10).prefix { $0 != UInt8(ascii: ";") }
    let end = place + 1 + name.count
    guard end < bytes.count, bytes[end] == UInt8(ascii: ";") else { return nil }
    let text = String(decoding: name, as: UTF8.self)
    let named: UInt32? =
      if text.hasPrefix("#x") || text.hasPrefix("#X") {
        UInt32(text.dropFirst(2), radix: 16)
      } else if text.hasPrefix("#") {
        UInt32(text.dropFirst())
      } else {
        entities[text]?.value
      }
    return named == scalar.value ? end + 1 : nil
  }

  private static func unicodeEscape(in bytes: [UInt8], at place: Int) -> UInt16? {
    guard place + 5 < bytes.count, bytes[place] == UInt8(ascii: "\\"),
      bytes[place + 1] == UInt8(ascii: "u")
    else { return nil }
    return bytes[(place + 2)...(place + 5)].reduce(UInt16?.some(0)) { value, byte in
      guard let value, let digit = byte.hexadecimalDigit else { return nil }
      return value << 4 | UInt16(digit)
    }
  }
}
