import DataTables

// The operators for text.
extension Comparison {
  func matchText(
    _ left: Value, _ right: Value, isPredicate: Bool, at span: Span
  ) throws -> Bool {
    guard case .string(let text) = left, case .string(let pattern) = right else {
      if isPredicate { return false }
      let odd = left.type == .string ? right : left
      throw Diagnostic(
        .badArgument,
        "\(`operator`.rawValue) compares strings; \(odd.excerpt) is \(odd.type.phrase)",
        at: span)
    }
    let folded = options.fold(text)
    switch `operator` {
    case .beginsWith: return folded.hasPrefix(options.fold(pattern))
    case .endsWith: return folded.hasSuffix(options.fold(pattern))
    case .like: return Self.isLike(Array(folded), Array(options.fold(pattern)))
    case .matches: return try isMatch(folded, pattern, at: span)
    default: return Self.contains(folded, options.fold(pattern))
    }
  }

  private static func contains(_ text: String, _ part: String) -> Bool {
    part.isEmpty || Array(text).firstRange(of: Array(part)) != nil
  }

  /// `*` stands for any characters, `?` for one.
  ///
  /// - Complexity: O(text × pattern): a star that fails is tried again one character on.
  private static func isLike(_ text: [Character], _ pattern: [Character]) -> Bool {
    var (position, index) = (0, 0)
    var star: (index: Int, position: Int)?
    while position < text.count {
      if index < pattern.count, pattern[index] == "*" {
        star = (index, position)
        index += 1
      } else if index < pattern.count, pattern[index] == "?" || pattern[index] == text[position] {
        index += 1
        position += 1
      } else if let last = star {
        star = (last.index, last.position + 1)
        (index, position) = (last.index + 1, last.position + 1)
      } else {
        return false
      }
    }
    return pattern[index...].allSatisfy { $0 == "*" }
  }

  private func isMatch(_ text: String, _ pattern: String, at span: Span) throws -> Bool {
    do {
      let isUnaccented = options.contains(.diacriticInsensitive)
      var regex = try Regex(isUnaccented ? options.unaccented(pattern) : pattern)
      if options.contains(.caseInsensitive) { regex = regex.ignoresCase() }
      return try regex.wholeMatch(in: text) != nil
    } catch {
      throw Diagnostic(
        .badArgument, "\(Value.string(pattern).excerpt) is no regular expression", at: span)
    }
  }
}

extension Comparison.Options {
  /// The text without what the options leave out of account.
  func fold(_ text: String) -> String {
    let text = contains(.diacriticInsensitive) ? unaccented(text) : text
    return contains(.caseInsensitive) ? text.lowercased() : text
  }
}
