/// The effect of a key in a table view.
enum PreviewKey: Equatable {
  case quit, suspend
  case lines(Int)
  case pages(Int)
  case start, end
  /// To the header of the next section, or of the previous one.
  case section(Int)
  /// To the next section whose title begins with a character.
  case letter(Character)

  /// - Returns: nil for a key without a meaning.
  init?(_ key: PagerKey) {
    switch key {
    case .character("q"), .character("\u{3}"): self = .quit
    case .character("\u{1A}"): self = .suspend
    case .character("\t"): self = .section(1)
    case .character(" "), .character("\u{6}"): self = .pages(1)
    case .character("\u{2}"): self = .pages(-1)
    case .character("\r"), .character("\n"), .character("\u{E}"): self = .lines(1)
    case .character("\u{10}"): self = .lines(-1)
    case .character(let scalar):
      // `Q` jumps to a section, as `q` quits.
      guard scalar.value > 0x20, scalar.value != 0x7F else { return nil }
      self = .letter(Character(scalar))
    case .sequence(let sequence):
      guard let key = Self.sequences[sequence] else { return nil }
      self = key
    }
  }

  private static let sequences: [String: PreviewKey] = [
    "A": .lines(-1), "B": .lines(1), "5~": .pages(-1), "6~": .pages(1), "Z": .section(-1),
    "H": .start, "1~": .start, "7~": .start, "F": .end, "4~": .end, "8~": .end,
  ]
}
