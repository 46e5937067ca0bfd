/// The names that a text of the language mentions.
///
/// A superset: words that are values or parts of paths are among them, but no label, key after a
/// dot, comment or string, and not the name that `let` binds. A text with an interpolation is read as
/// if it had no strings and comments.
package enum MentionedNames {
  package static func names(in text: String) -> Set<String> {
    let bytes = Array(text.utf8)
    var names: Set<String> = []
    forEachWord(in: bytes) { range, isBinding in
      if !isBinding { names.insert(String(decoding: bytes[range], as: UTF8.self)) }
    }
    return names
  }

  /// The text with another word in the place of a name, also where `let` binds it.
  package static func replacing(_ name: String, by other: String, in text: String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var position = 0
    forEachWord(in: bytes) { range, _ in
      guard bytes[range].elementsEqual(name.utf8) else { return }
      result += bytes[position..<range.lowerBound] + Array(other.utf8)
      position = range.upperBound
    }
    return String(decoding: result + bytes[position...], as: UTF8.self)
  }

  /// - Parameter body: receives the bytes of a word that may be a name, and whether `let` binds it.
  private static func forEachWord(
    in bytes: [UInt8], _ body: (_ word: Range<Int>, _ isBinding: Bool) -> Void
  ) {
    // An interpolation may contain strings of its own.
    let skipsStrings = !zip(bytes, bytes.dropFirst()).contains {
      $0 == UInt8(ascii: "\\") && $1 == UInt8(ascii: "(")
    }
    var isBinding = false
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      if skipsStrings, byte == UInt8(ascii: "#"), position == 0 || isSpace(bytes[position - 1]) {
        position = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      } else if skipsStrings, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        position = endOfString(bytes, from: position)
      } else if isPart(byte) {
        let end = bytes[position...].firstIndex { !isPart($0) } ?? bytes.count
        let follows = position == 0 ? nil : bytes[position - 1]
        let next = end < bytes.count ? bytes[end] : nil
        let isKey = follows == UInt8(ascii: ".") || follows == UInt8(ascii: "/")
        let isLabel = next == UInt8(ascii: ":") || next == UInt8(ascii: "/")
        if !isKey, !isLabel { body(position..<end, isBinding) }
        isBinding = bytes[position..<end].elementsEqual("let".utf8)
        position = end
      } else {
        position += 1
      }
    }
  }

  private static func endOfString(_ bytes: [UInt8], from start: Int) -> Int {
    let quote = bytes[start]
    var position = start + 1
    while position < bytes.count, bytes[position] != quote {
      position += quote == UInt8(ascii: "\"") && bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(position + 1, bytes.count)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 }

  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...:
      true
    default: false
    }
  }
}
