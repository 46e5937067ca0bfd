import DataTables

/// The messages of libxml2 in the words of this program.
///
/// They are recognized by their first words, which libxml2 has kept for decades; one that is not
/// known is shown as it is.
enum XMLMessage {
  /// A message as a clause that starts with a lowercase letter.
  /// - Parameter element: the element that is not closed, with its line.
  static func clause(_ message: String, in element: (name: String, line: Int)?) -> String {
    // The message lacks the prefix of the name.
    if let element, message.hasPrefix("Opening and ending tag mismatch") {
      return "expected `</\(element.name)>` for the element of line \(element.line.grouped)"
    }
    for (start, clause) in clauses where message.hasPrefix(start) {
      if let text = clause(message.dropFirst(start.count)) { return text }
    }
    guard let first = message.first else { return "malformed XML" }
    // Acronyms stay in capitals.
    let isWord = message.dropFirst().first?.isLowercase == true
    return isWord ? first.lowercased() + message.dropFirst() : message
  }

  /// The first words of a message, and the clause for its rest; nil if the rest has another form.
  private static let clauses: [(start: String, clause: @Sendable (Substring) -> String?)] = [
    ("Attribute ", { $0.wordBefore(" redefined").map { "the attribute `\($0)` is repeated" } }),
    ("Entity '", { $0.wordBefore("' not defined").map { "the entity `\($0)` is not defined" } }),
    (
      "Specification mandates value for attribute ",
      { "the attribute `\($0)` has no value; expected `=`" }
    ),
    (
      "PCDATA invalid Char value ", { character($0).map { "the character \($0) is not allowed" } }
    ),
    (
      "xmlParseCharRef: invalid xmlChar value ",
      { character($0).map { "the character \($0) is not allowed, not as a reference either" } }
    ),
    ("AttValue: \" or ' expected", { _ in "the value of an attribute must be in quotes" }),
    ("xmlParseEntityRef: no name", { _ in "`&` alone must be written `&amp;`" }),
    ("EntityRef: expecting ';'", { _ in "expected `;` after the name of an entity" }),
    (
      "Unescaped '<' not allowed in attributes values",
      { _ in "`<` in the value of an attribute must be written `&lt;`" }
    ),
    ("Sequence ']]>' not allowed", { _ in "`]]>` in a text must be written `]]&gt;`" }),
    ("Document is empty", { _ in "expected `<` at the start of the document" }),
    ("StartTag: invalid element name", { _ in "expected the name of an element after `<`" }),
    ("Double hyphen within comment", { _ in "a comment contains `--`" }),
    (
      "XML declaration allowed only at the start",
      { _ in "the XML declaration is not at the start of the document" }
    ),
    ("attributes construct error", { _ in "expected a blank or `>` after an attribute" }),
    (
      "Extra content at the end of the document",
      { _ in "the document goes on after its root element" }
    ),
  ]

  /// `U+000B`
  private static func character(_ digits: Substring) -> String? {
    guard let number = UInt32(digits.prefix { $0.isNumber }) else { return nil }
    let text = String(number, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - text.count)) + text
  }
}

extension Substring {
  /// The text before `end`, with which this text ends; nil if it does not.
  fileprivate func wordBefore(_ end: String) -> Substring? {
    hasSuffix(end) ? dropLast(end.count) : nil
  }
}
