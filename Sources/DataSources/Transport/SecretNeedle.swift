import DataTables

/// A form of a secret to search for: its text or its base64. A text also matches its
/// percent-encoded and JSON-escaped forms.
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
    return forms
  }

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
    return [Array(String(first).utf8)[0], UInt8(ascii: "%"), UInt8(ascii: "\\")]
      + (first == " " ? [UInt8(ascii: "+")] : [])
  }

  /// The range of the secret in `bytes` if it begins at `start`.
  func range(in bytes: [UInt8], at start: Int) -> Range<Int>? {
    var ends = [start]
    for scalar in scalars {
      var next: [Int] = []
      for end in ends {
        for newEnd in Self.ends(of: scalar, in: bytes, at: end) where !next.contains(newEnd) {
          next.append(newEnd)
        }
      }
      guard !next.isEmpty else { return nil }
      ends = next
    }
    guard let end = ends.max() else { return nil }
    return hasMargins ? Self.widened(start..<end, in: bytes) : start..<end
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
    case UInt8(ascii: "+"):
      if scalar == " " { ends.append(place + 1) }
    case UInt8(ascii: "\\"):
      if let end = endOfEscape(of: scalar, in: bytes, at: place) { ends.append(end) }
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
