extension TableError {
  /// The error in one clause that starts with a lowercase letter.
  public var message: String {
    switch self {
    case .format(let what, let position): what + Self.place(position)
    case .encoding(let expected, let offset, let fitting):
      "byte \(offset) is not \(expected)" + (fitting.map { "; try `encoding: \($0)`" } ?? "")
    case .undecidedEncoding(let offset, let fitting):
      "byte \(offset) is not UTF-8, and the encoding is undecided; try "
        + fitting.map { "`encoding: \($0)`" }.joined(separator: " or ")
    case .brokenEncoding(let offset, let reason): "byte \(offset) is not UTF-8: \(reason)"
    case .limit(let what, let setting, let position):
      what + Self.place(position) + (setting.isEmpty ? "" : " (`\(setting)` raises the limit)")
    case .changed(let what), .io(let what), .denied(let what), .badArgument(let what),
      .noColumn(let what), .unsupportedOption(_, let what):
      what
    case .unknownKey(let key, _): "no object has the key \(UnknownKey(key))"
    case .sortMismatch(let row, let title):
      "object at index \(row) has an out of order section name '\(title.titleText)'"
    case .cancelled: "canceled"
    }
  }

  private static func place(_ position: TextPosition?) -> String {
    position.map { " at \($0.phrase)" } ?? ""
  }
}

extension Value {
  /// A string without quotes; any other value as JSON.
  fileprivate var titleText: String { if case .string(let string) = self { string } else { json } }
}

/// A key that no object has, as messages show it.
package struct UnknownKey: CustomStringConvertible {
  let key: String

  package init(_ key: String) { self.key = key }

  /// `` `nme` ``; for a key that other values have, `` `firstCharacter`, which only strings have``.
  package var description: String {
    "`\(key)`" + (owner.map { ", which only \($0) have" } ?? "")
  }

  private var owner: String? {
    if key.hasPrefix("[") || CollectionOperator(rawValue: key) != nil { return "arrays" }
    return DerivedKey.named(key)?.owner
  }
}

extension DerivedKey {
  fileprivate var owner: String? {
    switch function {
    case .string: "strings"
    case .date: "dates"
    case .number: "numbers"
    case .itself: nil
    }
  }
}
