import DataTables

/// A random change, as commands that can be typed.
struct EditStep: Sendable {
  /// Run in order. If one fails, those after it do not run.
  let commands: [String]
  /// Whether it changes no content, but lets a fetch fail.
  var isFault = false
  /// Whether a later command of the section meets the fault.
  var isForNextFetch: Bool { isFault && !endsInFault }
  /// Whether the last command is expected to fail, as a fetch with a fault.
  var endsInFault = false
}

extension Value {
  /// The value as an argument of a command; nil for one that no text of the language spells.
  var argument: String? {
    switch self {
    case .null, .bool, .integer: return json
    case .real(let number): return number.isFinite ? json : nil
    case .string: return json
    case .date(let date):
      let text = date.text
      // A word that is read as the same date.
      guard case .date(let read) = Value(literal: text), read.text == text else { return nil }
      return text
    case .data: return nil
    case .array(let values):
      let elements = values.compactMap(\.argument)
      guard elements.count == values.count else { return nil }
      return "[" + elements.joined(separator: ", ") + "]"
    case .record(let record):
      let members = zip(record.keys, record.values).compactMap { key, value in
        value.argument.map { "\(Value.string(key).json): \($0)" }
      }
      guard members.count == record.keys.count else { return nil }
      return "{" + members.joined(separator: ", ") + "}"
    }
  }
}
