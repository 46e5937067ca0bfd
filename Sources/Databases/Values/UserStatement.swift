public import DataTables

extension SQL {
  /// A statement that a person wrote, with values for its placeholders `?`. Question marks in
  /// strings, quoted names and comments are not placeholders.
  ///
  /// - Throws: ``StatementError`` if the number of values differs from that of the placeholders.
  public init(_ text: String, arguments: [Value]) throws(StatementError) {
    let parts = StatementParts(text).parts
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
private struct StatementParts {
  private(set) var parts: [String] = []

  init(_ text: String) {
    var rest = Substring(text)
    var part = ""
    func end(of prefix: String, _ terminator: String) -> Substring.Index {
      rest.dropFirst(prefix.count).firstRange(of: terminator)?.upperBound ?? rest.endIndex
    }
    while let first = rest.first {
      let skipped: Substring.Index?
      switch first {
      case "'", "\"", "`": skipped = end(of: String(first), String(first))
      case "-" where rest.hasPrefix("--"): skipped = end(of: "--", "\n")
      case "/" where rest.hasPrefix("/*"): skipped = end(of: "/*", "*/")
      default: skipped = nil
      }
      if let skipped {
        part += rest[..<skipped]
        rest = rest[skipped...]
      } else if first == "?" {
        parts.append(part)
        part = ""
        rest = rest.dropFirst()
      } else {
        part.append(first)
        rest = rest.dropFirst()
      }
    }
    parts.append(part)
  }
}
