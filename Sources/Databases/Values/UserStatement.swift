public import DataTables

extension SQL {
  /// A statement that a person wrote, with values for its placeholders `?`. Question marks in
  /// strings, quoted names and comments are not placeholders, and `??` is a question mark of the
  /// statement, such as an operator of PostgreSQL.
  ///
  /// - Throws: ``StatementError`` if the number of values differs from that of the placeholders.
  public init(
    _ text: String, arguments: [Value], _ syntax: StatementSyntax
  ) throws(StatementError) {
    let parts = StatementParts(text, syntax).parts
    guard parts.count - 1 == arguments.count else {
      throw StatementError(placeholders: parts.count - 1, values: arguments.count)
    }
    self.init(parts[0])
    for (value, part) in zip(arguments, parts.dropFirst()) {
      append(value: value)
      append(part)
    }
  }
}

/// A statement has other placeholders than values.
public struct StatementError: Error, Equatable, Sendable {
  public let placeholders: Int
  public let values: Int
}

/// The text of a statement around its placeholders.
///
/// It is read scalar by scalar: a quote with a combining mark is a quote to an engine.
private struct StatementParts {
  private(set) var parts: [String] = []
  private let syntax: StatementSyntax
  private var rest: Substring.UnicodeScalarView
  private var part = String.UnicodeScalarView()

  init(_ text: String, _ syntax: StatementSyntax) {
    self.syntax = syntax
    rest = Substring(text).unicodeScalars
    while let first = rest.first {
      let count = skippedCount(at: first)
      if count > 0 {
        part += rest.prefix(count)
        rest = rest.dropFirst(count)
        continue
      }
      rest = rest.dropFirst()
      if first == "?", rest.first == "?" {
        rest = rest.dropFirst()
        part.append(first)
      } else if first == "?" {
        endPart()
      } else {
        part.append(first)
      }
    }
    endPart()
  }

  private mutating func endPart() {
    parts.append(String(part))
    part = String.UnicodeScalarView()
  }

  /// The length of the string, the quoted name or the comment that begins here; 0 for none. One
  /// that does not end goes to the end of the statement.
  private func skippedCount(at first: Unicode.Scalar) -> Int {
    switch first {
    case "'", "\"", "`": quotedCount(first)
    case "[" where syntax.hasBracketNames: count(after: 1, to: "]")
    case "$" where syntax.hasDollarQuotes: dollarQuotedCount
    case "-" where begins("--"): count(after: 2, to: "\n")
    case "/" where begins("/*"): syntax.nestsComments ? commentCount : count(after: 2, to: "*/")
    default: 0
    }
  }

  private func begins(_ text: String) -> Bool { rest.starts(with: text.unicodeScalars) }

  private func count(after start: Int, to end: String) -> Int {
    let body = Substring(rest.dropFirst(start))
    guard let found = body.unicodeScalars.firstRange(of: Array(end.unicodeScalars)) else {
      return rest.count
    }
    return rest.distance(from: rest.startIndex, to: found.upperBound)
  }

  /// A doubled quote ends one string and begins another one.
  private func quotedCount(_ quote: Unicode.Scalar) -> Int {
    let escapes =
      switch syntax.backslashes {
      case .none: false
      case .inEscapeStrings: quote == "'" && followsEscapePrefix
      case .everywhere: true
      }
    var count = 1
    var isEscaped = false
    for scalar in rest.dropFirst() {
      count += 1
      if isEscaped {
        isEscaped = false
      } else if escapes, scalar == "\\" {
        isEscaped = true
      } else if scalar == quote {
        return count
      }
    }
    return count
  }

  /// Whether the text before is the prefix of `E'…'`.
  private var followsEscapePrefix: Bool {
    guard let prefix = part.last, prefix == "E" || prefix == "e" else { return false }
    return part.dropLast().last.map { !$0.isNamePart } ?? true
  }

  /// `$tag$ … $tag$`; a tag is a name or empty.
  private var dollarQuotedCount: Int {
    if part.last?.isNamePart ?? false { return 0 }
    let tag = rest.dropFirst().prefix { $0.isNamePart && $0 != "$" }
    if tag.first?.properties.numericType != nil { return 0 }
    guard rest.dropFirst(1 + tag.count).first == "$" else { return 0 }
    return count(after: tag.count + 2, to: "$" + String(tag) + "$")
  }

  private var commentCount: Int {
    var depth = 0
    var count = 0
    var left = rest
    while !left.isEmpty {
      if left.starts(with: "/*".unicodeScalars) || left.starts(with: "*/".unicodeScalars) {
        depth += left.first == "/" ? 1 : -1
        left = left.dropFirst(2)
        count += 2
        if depth == 0 { break }
      } else {
        left = left.dropFirst()
        count += 1
      }
    }
    return count
  }
}

extension Unicode.Scalar {
  fileprivate var isNamePart: Bool {
    self == "_" || self == "$" || properties.isAlphabetic || properties.numericType != nil
  }
}
