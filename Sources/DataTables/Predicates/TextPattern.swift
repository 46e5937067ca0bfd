import Foundation

/// The right side of a string operator, prepared for many comparisons.
struct TextPattern: Sendable {
  enum Form: Sendable {
    case whole(String)
    case prefix(String)
    case suffix(String)
    case part(String)
    /// An expression that matches the whole string.
    case expression(RegularExpression)
  }
  let form: Form
  let options: ComparisonOperator.Options
  /// The string of ``form``, or a string that is part of every match of the expression. Nil if no
  /// text that ``comparesBytes(of:)`` contains the string, or if the expression has no such part.
  let needle: TextNeedle?
  /// The same for texts that were folded before the comparison.
  private let foldedNeedle: TextNeedle?
  private let automaton = SharedAutomaton()

  /// - Throws: ``ComparisonError/invalidRegularExpression(_:why:)``.
  init(
    _ pattern: String, _ kind: ComparisonOperator.Kind, _ options: ComparisonOperator.Options
  ) throws(ComparisonError) {
    let options = options.folding
    switch kind {
    case .equal, .notEqual: form = .whole(options.fold(pattern))
    case .beginsWith: form = .prefix(options.fold(pattern))
    case .endsWith: form = .suffix(options.fold(pattern))
    case .like: form = LikePattern(options.fold(pattern)).form
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
    self.options = options
    let foldsCase = options.contains(.caseInsensitive)
    switch form {
    case .whole(let text), .prefix(let text), .suffix(let text), .part(let text):
      needle = TextNeedle(text, foldsCase: foldsCase)
      foldedNeedle = foldsCase ? TextNeedle(text, foldsCase: false) : needle
    case .expression(let expression):
      let part = expression.requiredPart(ofLowercase: foldsCase)
      needle = part.isEmpty ? nil : TextNeedle(part, foldsCase: foldsCase)
      foldedNeedle = nil
    }
  }

  func matches(_ text: String) -> Bool {
    if case .expression(let expression) = form {
      return automaton.matches(text, expression, options)
        ?? expression.matchesWhole(options.fold(text))
    }
    var text = text
    return text.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      return comparesBytes(of: bytes) ? matches(bytes) : nil
    } ?? matchesCharacters(options.fold(text))
  }

  /// Whether a text is compared by its bytes, which are its characters.
  func comparesBytes(of text: UnsafeRawBufferPointer) -> Bool {
    // Only the letters of ASCII are folded as bytes.
    options.isEmpty ? text.isPlain : text.isASCII
  }

  /// Whether a text matches a pattern that is not an expression.
  /// - Precondition: the text ``comparesBytes(of:)``.
  func matches(_ text: UnsafeRawBufferPointer) -> Bool { matches(text, needle) }

  /// Whether a plain text matches, after it was folded, a pattern that is not an expression.
  func matches(folded text: UnsafeRawBufferPointer) -> Bool { matches(text, foldedNeedle) }

  private func matches(_ text: UnsafeRawBufferPointer, _ needle: TextNeedle?) -> Bool {
    guard let needle else { return false }
    return switch form {
    case .whole: needle.equals(text)
    case .prefix: needle.isPrefix(of: text)
    case .suffix: needle.isSuffix(of: text)
    case .part, .expression: needle.isContained(in: text)
    }
  }

  private func matchesCharacters(_ text: String) -> Bool {
    switch form {
    case .whole(let other): text == other
    case .prefix(let part): text.hasPrefix(part)
    case .suffix(let part): text.hasSuffix(part)
    case .part(let part): Array(text).contains(Array(part))
    case .expression(let expression): expression.matchesWhole(text)
    }
  }
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
