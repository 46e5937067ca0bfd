extension TableError {
  /// What is wrong, in one clause that begins with a small letter.
  public var message: String {
    switch self {
    case .format(let what, let position): what + Self.place(position)
    case .encoding(let expected, let offset, let fitting):
      "byte \(offset) is not \(expected)" + (fitting.map { "; it fits `encoding: \($0)`" } ?? "")
    case .limit(let what, let setting, let position):
      what + Self.place(position) + (setting.isEmpty ? "" : " (`\(setting)` raises the limit)")
    case .changed(let what), .io(let what), .badArgument(let what): what
    case .unknownKey(let key, _): "no object has the key \(UnknownKey(key))"
    case .sortMismatch(let row, let title):
      "object at index \(row) has an out of order section name '\(title.titleText)'"
    case .cancelled: "cancelled"
    }
  }

  private static func place(_ position: TextPosition?) -> String {
    position.map { " at line \($0.line), column \($0.column)" } ?? ""
  }
}

extension Value {
  /// A string without quotes, anything else as JSON.
  fileprivate var titleText: String { if case .string(let string) = self { string } else { json } }
}
