/// A key as a terminal sends it.
enum PagerKey: Equatable {
  case character(Unicode.Scalar)
  /// The part of an escape sequence after `ESC [` or `ESC O`; "" for the escape key alone.
  case sequence(String)

  /// Takes the first key from bytes that were read.
  ///
  /// - Parameter isComplete: whether no more bytes follow soon, so that an escape is a key.
  /// - Returns: nil until more bytes have been read.
  static func take(from bytes: inout ArraySlice<UInt8>, isComplete: Bool) -> PagerKey? {
    guard let first = bytes.first else { return nil }
    if first == 0x1B { return sequence(&bytes, isComplete: isComplete) }
    let length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard bytes.count >= length || isComplete else { return nil }
    let text = String(decoding: bytes.prefix(length), as: UTF8.self)
    bytes = bytes.dropFirst(length)
    return text.unicodeScalars.first.map { .character($0) }
  }

  private static func sequence(_ bytes: inout ArraySlice<UInt8>, isComplete: Bool) -> PagerKey? {
    let rest = bytes.dropFirst()
    guard let lead = rest.first else {
      if isComplete { bytes = [] }
      return isComplete ? .sequence("") : nil
    }
    guard lead == UInt8(ascii: "[") || lead == UInt8(ascii: "O") else {
      // Alt with a key, which is ignored.
      bytes = rest.dropFirst()
      return .sequence("")
    }
    let parameters = rest.dropFirst().prefix { 0x20...0x3F ~= $0 }
    guard let last = rest.dropFirst(1 + parameters.count).first else {
      if isComplete { bytes = [] }
      return isComplete ? .sequence("") : nil
    }
    bytes = rest.dropFirst(2 + parameters.count)
    return .sequence(String(decoding: parameters + [last], as: UTF8.self))
  }
}

/// The effect of a key while no search is typed.
enum PagerCommand {
  case quit, search, next, previous, suspend
  case move(PagerView.Movement)

  /// - Returns: nil for a key without a meaning.
  init?(_ key: PagerKey) {
    let command: PagerCommand? =
      switch key {
      case .character(let scalar): Self.characters[scalar]
      case .sequence(let sequence): Self.sequences[sequence]
      }
    guard let command else { return nil }
    self = command
  }

  private static let characters: [Unicode.Scalar: PagerCommand] = [
    "q": .quit, "Q": .quit, "\u{3}": .quit, "\u{1A}": .suspend,
    "/": .search, "n": .next, "N": .previous,
    "j": .move(.lines(1)), "e": .move(.lines(1)), "\r": .move(.lines(1)), "\n": .move(.lines(1)),
    "\u{E}": .move(.lines(1)),
    "k": .move(.lines(-1)), "y": .move(.lines(-1)), "\u{10}": .move(.lines(-1)),
    " ": .move(.pages(1)), "f": .move(.pages(1)), "\u{6}": .move(.pages(1)),
    "b": .move(.pages(-1)), "\u{2}": .move(.pages(-1)),
    "d": .move(.halfPages(1)), "\u{4}": .move(.halfPages(1)),
    "u": .move(.halfPages(-1)), "\u{15}": .move(.halfPages(-1)),
    "g": .move(.start), "<": .move(.start), "G": .move(.end), ">": .move(.end),
    "h": .move(.sideways(-1)), "l": .move(.sideways(1)),
    "0": .move(.leftmost), "^": .move(.leftmost), "$": .move(.rightmost),
  ]

  private static let sequences: [String: PagerCommand] = [
    "A": .move(.lines(-1)), "B": .move(.lines(1)),
    "C": .move(.sideways(1)), "D": .move(.sideways(-1)),
    "5~": .move(.pages(-1)), "6~": .move(.pages(1)),
    "H": .move(.start), "1~": .move(.start), "7~": .move(.start),
    "F": .move(.end), "4~": .move(.end), "8~": .move(.end),
  ]
}
