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
    case .unknownKey(let key, _): "no object has the key `\(key)`"
    case .cancelled: "cancelled"
    }
  }

  private static func place(_ position: TextPosition?) -> String {
    position.map { " at line \($0.line), column \($0.column)" } ?? ""
  }
}
