import DisplayText

/// HTML. Strings that are interpolated are texts: they are escaped, and their control characters are
/// written as escapes.
struct Markup: ExpressibleByStringInterpolation, Sendable {
  private(set) var text: String

  init(stringLiteral value: String) { text = value }
  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// - Parameter text: finished HTML.
  init(verbatim text: String) { self.text = text }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {}
    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ value: String) { text += value.escapedForMarkup }
    mutating func appendInterpolation(_ value: Int) { text += String(value) }
    mutating func appendInterpolation(_ value: Markup) { text += value.text }
  }

  static func + (left: Markup, right: Markup) -> Markup { Markup(verbatim: left.text + right.text) }
  static func += (left: inout Markup, right: Markup) { left.text += right.text }

  /// A message as the prompt prints it, with the words between backticks as code.
  static func message(_ message: String) -> Markup {
    let parts = message.split(separator: "`", omittingEmptySubsequences: false)
    var markup: Markup = ""
    for (index, part) in parts.enumerated() {
      if index % 2 == 0 {
        markup += "\(String(part))"
      } else if index == parts.count - 1 {
        // A backtick without a second one.
        markup += "`\(String(part))"
      } else {
        markup += "<code>\(String(part))</code>"
      }
    }
    return markup
  }
}

extension [Markup] {
  func joined() -> Markup { Markup(verbatim: map(\.text).joined()) }
}
