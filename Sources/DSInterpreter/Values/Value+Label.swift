import DataTables

extension Value {
  private static let longestLabel = 200

  /// The value on a line of a picture, shortened: a string without quotes, except `"null"` and the
  /// empty string; a date; any other value as JSON. Pictures escape controls.
  var label: String {
    let text =
      switch self {
      case .string(let text): text == "null" || text.isEmpty ? "\"\(text)\"" : text
      case .date(let date): date.text
      default: json
      }
    return text.cut(to: Self.longestLabel)
  }
}
