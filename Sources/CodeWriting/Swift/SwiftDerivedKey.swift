import DataTables

/// A derived key, such as `firstCharacter`, as an expression.
struct SwiftDerivedKey {
  let expression: SwiftExpression

  /// nil for a key that the value does not have, or that Foundation computes otherwise.
  init?(_ key: String, of base: SwiftExpression) {
    let isOptional = base.shape.isOptional
    let dot = base.text + (isOptional ? "?." : ".")
    var found: SwiftExpression?
    func result(_ text: String, _ kind: ValueShape.Kind, isOptional other: Bool = false) {
      found = SwiftExpression(
        text: text, shape: ValueShape(kind, isOptional: isOptional || other))
    }
    switch (base.shape.kind, key) {
    case (.string, "firstCharacter"):
      result(dot + "first.map { String($0) }", .string, isOptional: true)
    case (.string, "uppercased"), (.string, "lowercased"): result(dot + "\(key)()", .string)
    case (.string, "length"): result(dot + "count", .integer)
    case (.string, "folded"):
      result(
        dot + "folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)", .string)
    case (.string, "trimmed"):
      result(dot + "trimmingCharacters(in: .whitespacesAndNewlines)", .string)
    case (.string, "initials"):
      result(
        dot + "split(whereSeparator: \\.isWhitespace).map { $0.prefix(1).uppercased() }.joined()",
        .string)
    case (.double, "rounded"): result(dot + "rounded()", .double)
    case (.double, "floor"): result(dot + "rounded(.down)", .double)
    case (.integer, "rounded"), (.integer, "floor"): result(base.text, .integer)
    case (.date, _):
      guard let component = Self.components[key] else { return nil }
      let text =
        isOptional
        ? "\(base.text).map { Calendar.gmt.\(component)$0) }"
        : "Calendar.gmt.\(component)\(base.text))"
      result(key == "weekday" ? Self.fromMonday(text, isOptional) : text, .integer)
    default: return nil
    }
    guard let found else { return nil }
    expression = found
  }

  /// Foundation counts the days of a week from Sunday, 1.
  private static func fromMonday(_ text: String, _ isOptional: Bool) -> String {
    isOptional ? "\(text).map { ($0 + 5) % 7 + 1 }" : "(\(text) + 5) % 7 + 1"
  }

  private static let components = [
    "year": "component(.year, from: ", "month": "component(.month, from: ",
    "day": "component(.day, from: ", "weekday": "component(.weekday, from: ",
    "week": "component(.weekOfYear, from: ", "hour": "component(.hour, from: ",
  ]

  /// The calendar that date keys use.
  static let calendar = [
    "extension Calendar {",
    "  /// Weeks of ISO 8601, in GMT, with English names.",
    "  static let gmt: Calendar = {",
    "    var calendar = Calendar(identifier: .iso8601)",
    "    calendar.timeZone = .gmt",
    "    calendar.locale = Locale(identifier: \"en_US_POSIX\")",
    "    return calendar",
    "  }()",
    "}",
  ]
}
