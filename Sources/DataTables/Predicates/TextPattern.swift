import Foundation

/// The right side of a string operator, prepared for many comparisons.
struct TextPattern: Sendable {
  private enum Form: Sendable {
    case prefix(String)
    case suffix(String)
    case part(String)
    case like(LikePattern)
    case expression(RegularExpression)
  }
  private let form: Form
  private let options: ComparisonOperator.Options

  /// - Throws: ``ComparisonError/invalidRegularExpression(_:why:)``.
  init(
    _ pattern: String, _ kind: ComparisonOperator.Kind, _ options: ComparisonOperator.Options
  ) throws(ComparisonError) {
    let options = options.folding
    self.options = options
    switch kind {
    case .beginsWith: form = .prefix(options.fold(pattern))
    case .endsWith: form = .suffix(options.fold(pattern))
    case .like: form = .like(LikePattern(options.fold(pattern)))
    case .matches:
      // The pattern is not lowercased: `\S` would become `\s`.
      let isUnaccented = options.contains(.diacriticInsensitive)
      do throws(RegularExpressionError) {
        form = .expression(
          try RegularExpression(
            isUnaccented ? pattern.unaccented : pattern,
            ignoresCase: options.contains(.caseInsensitive)))
      } catch {
        throw .invalidRegularExpression(pattern, why: error.message)
      }
    default: form = .part(options.fold(pattern))
    }
  }

  func matches(_ text: String) -> Bool {
    let text = options.fold(text)
    switch form {
    case .prefix(let part): return text.hasPrefix(part)
    case .suffix(let part): return text.hasSuffix(part)
    case .part(let part): return Self.contains(text, part)
    case .like(let pattern): return pattern.matches(text)
    case .expression(let expression): return expression.matchesWhole(text)
    }
  }

  private static func contains(_ text: String, _ part: String) -> Bool {
    if part.isEmpty { return true }
    if text.isPlain, part.isPlain { return Array(text.utf8).contains(Array(part.utf8)) }
    return Array(text).contains(Array(part))
  }
}

extension String {
  /// Whether every byte is a character: ASCII without CR, because CR LF is one character.
  fileprivate var isPlain: Bool { utf8.allSatisfy { $0 < 0x80 && $0 != 0x0D } }
}

extension Array where Element: Equatable {
  fileprivate func contains(_ part: [Element]) -> Bool {
    guard part.count <= count, let first = part.first else { return part.isEmpty }
    for start in 0...(count - part.count)
    where self[start] == first && self[start..<start + part.count].elementsEqual(part) {
      return true
    }
    return false
  }
}

extension ComparisonOperator.Options {
  /// The string without the differences that the options ignore.
  func fold(_ text: String) -> String {
    let folding = folding
    let text = folding.contains(.diacriticInsensitive) ? text.unaccented : text
    return folding.contains(.caseInsensitive) ? text.lowercased() : text
  }

  /// The order of two strings in the root collation, without the differences that are ignored.
  func localizedOrder(_ left: String, _ right: String) -> Ordering {
    let isUnaccented = folding.contains(.diacriticInsensitive)
    let (left, right) = isUnaccented ? (left.unaccented, right.unaccented) : (left, right)
    let keys = folding.contains(.caseInsensitive) ? Self.caselessKeys : Self.keys
    guard let keys else { return Ordering(left, right) }
    let (first, second) = (keys.bytes(of: left), keys.bytes(of: right))
    return first == second ? .same : first.lexicographicallyPrecedes(second) ? .before : .after
  }

  // Opening a collator takes much longer than a comparison.
  private static let keys = try? TextOrderKey(.localized)
  private static let caselessKeys = try? TextOrderKey(.localizedCaseInsensitive)
}

/// A pattern of `LIKE`: `*` matches any characters, `?` matches one, `\` escapes the next
/// character.
private struct LikePattern: Sendable {
  private enum Piece<Element: Equatable & Sendable>: Equatable, Sendable {
    case many
    case one
    case literal(Element)
  }
  private let pieces: [Piece<Character>]
  /// The same pieces as bytes, for strings in which every byte is a character; nil if the pattern
  /// is not such a string.
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

  /// - Complexity: O(text × pattern): if the rest does not match, the last star matches one more
  ///   character.
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

extension String {
  /// The string without accents, by rules that do not depend on a language.
  fileprivate var unaccented: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return self }
    return folding(options: .diacriticInsensitive, locale: nil)
  }

  /// The string in canonical composition: a letter and its accents are one scalar if such a scalar
  /// exists.
  package var composed: String {
    // Below U+0300 no scalar combines with another.
    if utf8.allSatisfy({ $0 < 0xCC }) { return self }
    return precomposedStringWithCanonicalMapping
  }
}
