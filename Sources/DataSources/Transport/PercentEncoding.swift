/// Bytes as `%20`, after RFC 3986.
package enum PercentEncoding {
  /// Everything encoded but letters, digits and `-._~`: for a name or a value in a query.
  package static func encoded(_ text: String) -> String { encoded(text) { _, _ in false } }

  /// What may not stand in a URL encoded, what is encoded left as it is.
  package static func mended(_ url: Substring) -> String {
    encoded(String(url)) { byte, rest in
      if byte == UInt8(ascii: "%") {
        return rest.prefix(2).count == 2 && rest.prefix(2).allSatisfy { digit($0) != nil }
      }
      return ":/?#[]@!$&'()*+,;=".utf8.contains(byte)
    }
  }

  /// The bytes that are meant; nil when a `%` is not followed by two hexadecimal digits.
  static func decoded(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// - Parameter keeps: whether a byte that is not unreserved stays, given what follows it.
  private static func encoded(
    _ text: String, keeping keeps: (UInt8, ArraySlice<UInt8>) -> Bool
  ) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    let digits = Array("0123456789ABCDEF".utf8)
    while let byte = rest.popFirst() {
      if isUnreserved(byte) || keeps(byte, rest) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~".utf8.contains(byte)
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
