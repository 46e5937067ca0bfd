import CEdit
import Glibc

extension EditLineReader {
  /// libedit's next character.
  /// - Returns: 1, 0 at the end of input, -1 with `errno` after Ctrl-C.
  func nextCharacter(_ character: UnsafeMutablePointer<wchar_t>) -> Int32 {
    while true {
      if let scalar = input.takeScalar() {
        character.pointee = wchar_t(scalar.value)
        return 1
      }
      switch input.wait() {
      case .bytes: continue
      case .end: return 0
      case .signal(let signal):
        if receive(signal) { continue }
        errno = EINTR
        return -1
      }
    }
  }

  // A paste comes between marks. The first is bound to `pasteText`, which puts what follows into the
  // line as it is, so that its tabs complete nothing and its line ends run nothing.
  static let pasteOn = "\u{1B}[?2004h"
  static let pasteOff = "\u{1B}[?2004l"
  static let pasteStart = "\u{1B}[200~"
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  /// - Returns: what libedit does then.
  func pasteText() -> UInt8 {
    while true {
      if let end = input.bytes.indices.first(where: {
        input.bytes[$0...].starts(with: Self.pasteEnd)
      }) {
        let paste = String(decoding: input.bytes[..<end], as: UTF8.self)
        input.bytes = input.bytes[(end + Self.pasteEnd.count)...]
        insert(paste)
        return UInt8(CC_REFRESH)
      }
      switch input.wait() {
      case .bytes: continue
      case .end: return UInt8(CC_EOF)
      case .signal(let signal): if !receive(signal) { return UInt8(CC_EOF) }
      }
    }
  }

  private func insert(_ paste: String) {
    var scalars: [wchar_t] = []
    for scalar in paste.unicodeScalars {
      // Terminals send the Return key for the end of a line.
      let value = scalar == "\r" ? 0x0A : scalar.value
      if value >= 0x20 && value != 0x7F || value == 0x0A || value == 0x09 {
        scalars.append(wchar_t(value))
      }
    }
    // What is pasted runs when Return is pressed, not before.
    while scalars.last == 0x0A { scalars.removeLast() }
    guard !scalars.isEmpty else { return }
    scalars.append(0)
    el_winsertstr(edit, scalars)
  }
}

extension TerminalInput {
  /// - Returns: nil when no whole scalar has come; a byte that is not UTF-8 is U+FFFD.
  func takeScalar() -> Unicode.Scalar? {
    guard let lead = bytes.first else { return nil }
    let length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard bytes.count >= length else { return nil }
    var decoder = UTF8()
    var sequence = bytes.prefix(length).makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&sequence) else {
      bytes.removeFirst()
      return "\u{FFFD}"
    }
    bytes = bytes.dropFirst(UTF8.width(scalar))
    return scalar
  }
}
