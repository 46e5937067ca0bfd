/// A pattern of `LIKE`: `*` matches any characters, `?` matches one, `\` escapes the next
/// character.
struct LikePattern {
  private enum Piece: Equatable {
    case many
    case one
    case literal(Character)

    var literal: Character? { if case .literal(let character) = self { character } else { nil } }
  }
  private var pieces: [Piece] = []

  init(_ pattern: String) {
    var isEscaped = false
    for character in pattern {
      switch character {
      case _ where isEscaped:
        pieces.append(.literal(character))
        isEscaped = false
      case "\\": isEscaped = true
      // Further stars match nothing more.
      case "*": if pieces.last != .many { pieces.append(.many) }
      case "?": pieces.append(.one)
      default: pieces.append(.literal(character))
      }
    }
    if isEscaped { pieces.append(.literal("\\")) }
  }

  /// The simplest form that matches the same strings.
  var form: TextPattern.Form {
    let isOpenAtStart = pieces.first == .many
    let isOpenAtEnd = pieces.last == .many
    let middle = pieces.dropFirst(isOpenAtStart ? 1 : 0).dropLast(
      isOpenAtEnd && pieces.count > 1 ? 1 : 0)
    let characters = middle.compactMap(\.literal)
    guard characters.count == middle.count else { return .expression(expression) }
    // The characters are searched for as they are. As one string, some of them could combine.
    let text = String(characters)
    guard text.elementsEqual(characters) else { return .expression(expression) }
    return switch (isOpenAtStart, isOpenAtEnd) {
    case (true, true): .part(text)
    case (true, false): .suffix(text)
    case (false, true): .prefix(text)
    case (false, false): .whole(text)
    }
  }

  /// The pattern as an expression, which is matched in a time that is linear in the string.
  private var expression: RegularExpression {
    RegularExpression(
      .sequence(
        pieces.map { piece in
          switch piece {
          case .many:
            .repetition(
              .character(CharacterTest(kinds: [.any])), minimum: 0, maximum: nil, isLazy: false)
          case .one: .character(CharacterTest(kinds: [.any]))
          case .literal(let character): .character(CharacterTest(kinds: [.character(character)]))
          }
        }))
  }
}
