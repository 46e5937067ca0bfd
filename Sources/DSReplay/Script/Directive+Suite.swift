import DSInterpreter
package import DataTables

// The values of directives about the runs of a script.
extension Directive {
  /// More runs would hardly end.
  static let maximumRuns = 10_000

  /// `file in data/*.csv`
  static func each(_ text: String) -> Directive? {
    let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
    guard parts.count == 3, parts[1] == "in", isName(String(parts[0])),
      let pattern = quoted(trimmed(parts[2]))
    else { return nil }
    return .each(name: String(parts[0]), pattern: pattern)
  }

  /// `rows = 100`, `rows=100`
  ///
  /// - Returns: nil if the value is not a constant.
  static func setting(_ text: String) -> (name: String, value: Value)? {
    guard let equals = text.firstIndex(of: "=") else { return nil }
    let name = trimmed(text[..<equals])
    let literal = trimmed(text[text.index(after: equals)...])
    guard isName(name), let value = Value.constant(literal) else { return nil }
    return (name, value)
  }

  static func isName(_ text: String) -> Bool {
    Name.isValid(text) && !Name.reserved.contains(text) && text != "args"
  }

  static func tags(_ text: String) -> Directive? {
    let tags = text.split(separator: ",", omittingEmptySubsequences: false).map { trimmed($0) }
    return tags.allSatisfy(isTag) ? .tags(tags) : nil
  }

  static func isTag(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
  }

  /// `API_TOKEN=abc`
  static func environment(_ text: String) -> Directive? {
    guard let equals = text.firstIndex(of: "=") else { return nil }
    let name = String(text[..<equals])
    let value = trimmed(text[text.index(after: equals)...])
    let isWord = name.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard let first = name.first, isWord, !first.isNumber else { return nil }
    if !value.hasPrefix("\"") {
      return value.contains(" ") ? nil : .environment(name: name, value: value)
    }
    guard case .string(let content)? = try? Value(json: value) else { return nil }
    return .environment(name: name, value: content)
  }

  static func platforms(_ text: String) -> Directive? {
    let names = text.split(separator: ",").map { trimmed($0) }
    let known = names.compactMap { Platform(rawValue: $0) }
    return !names.isEmpty && known.count == names.count ? .platform(known) : nil
  }

  static func runs(_ text: String) -> Int? {
    guard let runs = Int(text), (1...maximumRuns).contains(runs) else { return nil }
    return runs
  }
}

extension Value {
  /// The value of a constant: a number, a date, `true`, `false`, `null`, a string with or without
  /// quotes, or an array or a record as in JSON; nil for the empty text and for a quote or bracket that
  /// is not closed.
  package static func constant(_ text: String) -> Value? {
    guard let first = text.first else { return nil }
    return "\"[{".contains(first) ? try? Value(json: text) : Value(literal: text)
  }

  /// The text that ``constant(_:)`` reads as the value.
  package var constant: String {
    if case .date(let date) = self { date.text } else { json }
  }
}
