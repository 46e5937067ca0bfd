/// The escapes that make white space at the end of an expected line visible.
///
/// At the end of a line `\s` means a space and `\\` a backslash.
enum LineEnding {
  /// The expected line for the text after a marker.
  static func read(_ text: String) -> String {
    guard let last = text.utf8.last, last == UInt8(ascii: "s") || last == UInt8(ascii: "\\")
    else { return text }
    let bytes = Array(text.utf8)
    let endsInS = bytes.last == UInt8(ascii: "s")
    let end = bytes.count - (endsInS ? 1 : 0)
    var start = end
    while start > 0, bytes[start - 1] == UInt8(ascii: "\\") { start -= 1 }
    let slashes = end - start
    if slashes == 0 { return text }
    var read = Array(bytes[..<start])
    read += Array(repeating: UInt8(ascii: "\\"), count: slashes / 2)
    if endsInS {
      read.append(slashes % 2 == 1 ? UInt8(ascii: " ") : UInt8(ascii: "s"))
    } else if slashes % 2 == 1 {
      read.append(UInt8(ascii: "\\"))
    }
    return String(decoding: read, as: UTF8.self)
  }

  /// The text to write after a marker; the inverse of ``read(_:)``.
  static func written(_ line: String) -> String {
    var bytes = Array(line.utf8)
    let last = bytes.last
    let isSpace = last == UInt8(ascii: " ")
    if isSpace || last == UInt8(ascii: "s") { bytes.removeLast() }
    var slashes = 0
    while slashes < bytes.count, bytes[bytes.count - 1 - slashes] == UInt8(ascii: "\\") {
      slashes += 1
    }
    bytes += Array(repeating: UInt8(ascii: "\\"), count: slashes)
    if isSpace { bytes += Array("\\s".utf8) }
    if last == UInt8(ascii: "s") { bytes.append(UInt8(ascii: "s")) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
