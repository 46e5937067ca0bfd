/// The right side of an operator for text, made ready for many texts.
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

  /// - Throws: ``ComparisonError/noRegularExpression(_:why:)``.
  init(
    _ pattern: String, _ kind: ComparisonOperator.Kind, _ options: ComparisonOperator.Options
  ) throws(ComparisonError) {
    self.options = options
    switch kind {
    case .beginsWith: form = .prefix(options.fold(pattern))
    case .endsWith: form = .suffix(options.fold(pattern))
    case .like: form = .like(LikePattern(options.fold(pattern)))
    case .matches:
      // Not in lower case, which would make \S of what is \s.
      let isUnaccented = options.contains(.diacriticInsensitive)
      do throws(RegularExpressionError) {
        form = .expression(
          try RegularExpression(
            isUnaccented ? unaccented(pattern) : pattern,
            ignoresCase: options.contains(.caseInsensitive)))
      } catch {
        throw .noRegularExpression(pattern, why: error.message)
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
  /// Whether every byte is a character: ASCII, without CR LF.
  var isPlain: Bool { utf8.allSatisfy { $0 < 0x80 && $0 != 0x0D } }
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
  /// The text without what the options leave out of account.
  func fold(_ text: String) -> String {
    let text = contains(.diacriticInsensitive) ? unaccented(text) : text
    return contains(.caseInsensitive) ? text.lowercased() : text
  }
}
