/// The names that a text of the language mentions.
///
/// A superset: words that are values or parts of paths are among them, but no label, key after a
/// dot, comment or string, and not the name that `let` binds. A text with an interpolation is read as
/// if it had no strings and comments.
package enum MentionedNames {
  package static func names(in text: String) -> Set<String> {
    let bytes = Array(text.utf8)
    var names: Set<String> = []
    // An interpolation may contain strings of its own.
    let skipsStrings = !text.contains("\\(")
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
        let word = String(decoding: bytes[position..<end], as: UTF8.self)
        if !isKey, !isLabel, !isBinding { names.insert(word) }
        isBinding = word == "let"
        position = end
      } else {
        position += 1
      }
    }
    return names
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
