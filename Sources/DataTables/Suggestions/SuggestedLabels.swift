/// Labels that a report or an error suggests, as they are typed: `` `nulls: "#N/A"` ``.
///
/// The description stands in backticks. Without these, it can be appended to the command that the
/// report belongs to; words that the language would read differently are quoted.
package struct SuggestedLabels: CustomStringConvertible, Sendable {
  /// The labels without backticks: `delimiter: ";" header: false`.
  package private(set) var text: String

  /// `header: false`
  package init(_ name: String, _ word: String) { text = "\(name): \(Self.written(word))" }

  /// `nulls: NA` for one word, `nulls: [NA, "-"]` for several.
  package init(_ name: String, _ words: [String]) {
    let written = words.map(Self.written)
    text =
      written.count == 1
      ? "\(name): \(written[0])" : "\(name): [\(written.joined(separator: ", "))]"
  }

  /// `types: {zip: string, "unit price": real}`
  package init(_ name: String, _ entries: [(key: String, word: String)]) {
    let written = entries.map { "\(Self.written($0.key)): \(Self.written($0.word))" }
    text = "\(name): {\(written.joined(separator: ", "))}"
  }

  package static func + (left: Self, right: Self) -> Self {
    var joined = left
    joined.text += " " + right.text
    return joined
  }

  package var description: String { "`\(text)`" }

  /// A word as a value of a label: itself, or quoted if it is not a string by itself.
  package static func written(_ word: String) -> String {
    if isPlain(word) { return word }
    // Patterns of logs are easier to read as raw strings.
    if word.contains("(?<"), !word.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }),
      !word.contains("'"), !word.contains("`")
    {
      return "'\(word)'"
    }
    // JSON's escapes are escapes of the language. A backtick would end the suggestion.
    return Value.string(word).json.split(separator: "`", omittingEmptySubsequences: false)
      .joined(separator: "\\u0060")
  }

  /// Words that mean something else where a string is expected.
  private static let reserved: Set<String> = ["null", "env", "_"]

  /// Whether a word consists of bytes that never end a word, and means itself.
  private static func isPlain(_ word: String) -> Bool {
    guard !word.isEmpty, !reserved.contains(word) else { return false }
    return word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "?"):
        true
      default: false
      }
    }
  }
}

extension [SuggestedLabels] {
  /// All labels in one suggestion; nil for none.
  var joined: SuggestedLabels? { first.map { dropFirst().reduce($0, +) } }
}

/// The type that the values of a column have with other labels: real with `thousands: ","`.
package struct SuggestedType: Sendable {
  package let type: ColumnType
  /// The labels, one for each way to read the values, the most likely first; not empty.
  package let labels: [SuggestedLabels]

  func isSame(as other: Self) -> Bool {
    type == other.type && labels.map(\.text) == other.labels.map(\.text)
  }
}
