/// A pattern of `LIKE`: `*` stands for any characters, `?` for one, `\` takes the next as it is.
struct LikePattern: Sendable {
  private enum Piece<Element: Equatable & Sendable>: Equatable, Sendable {
    case many
    case one
    case literal(Element)
  }
  private let pieces: [Piece<Character>]
  /// The same in bytes, for texts whose bytes are characters.
  private let bytes: [Piece<UInt8>]?

  init(_ pattern: String) {
    var pieces: [Piece<Character>] = []
    var isEscaped = false
    for character in pattern {
      switch character {
      case _ where isEscaped:
        pieces.append(.literal(character))
        isEscaped = false
      case "\\": isEscaped = true
      case "*": pieces.append(.many)
      case "?": pieces.append(.one)
      default: pieces.append(.literal(character))
      }
    }
    if isEscaped { pieces.append(.literal("\\")) }
    self.pieces = pieces
    bytes =
      pattern.isPlain
      ? pieces.map { piece in
        switch piece {
        case .many: .many
        case .one: .one
        case .literal(let character): .literal(character.utf8.first ?? 0)
        }
      } : nil
  }

  func matches(_ text: String) -> Bool {
    if let bytes, text.isPlain { return Self.matches(Array(text.utf8), bytes) }
    return Self.matches(Array(text), pieces)
  }

  /// - Complexity: O(text × pattern): a star that fails is tried again one character on.
  private static func matches<Element>(_ text: [Element], _ pattern: [Piece<Element>]) -> Bool {
    var (position, index) = (0, 0)
    var star: (index: Int, position: Int)?
    while position < text.count {
      if index < pattern.count, pattern[index] == .many {
        star = (index, position)
        index += 1
      } else if index < pattern.count,
        pattern[index] == .one || pattern[index] == .literal(text[position])
      {
        index += 1
        position += 1
      } else if let last = star {
        star = (last.index, last.position + 1)
        (index, position) = (last.index + 1, last.position + 1)
      } else {
        return false
      }
    }
    return pattern[index...].allSatisfy { $0 == .many }
  }
}
