internal import DataTables

extension Value {
  /// The value on one line, for people: a string without quotes, except `"null"`; every other value
  /// as a literal of the language. Control characters are escaped.
  var text: String {
    switch self {
    case .string(let text): text == "null" ? "\"null\"" : text.escapingControls()
    default: literal
    }
  }

  /// The value as a literal of the language.
  var literal: String {
    var text = ""
    appendLiteral(to: &text)
    return text
  }

  fileprivate func appendLiteral(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .real(let value): text += value.text.escapingControls()
    case .string(let string): text += string.quoted
    case .date(let date): text += date.text.escapingControls()
    case .data(let bytes): text += Value.text(of: bytes)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += ", " }
        element.appendLiteral(to: &text)
      }
      text += "]"
    case .record(let record): record.appendLiteral(to: &text)
    }
  }

  var isNumber: Bool {
    switch self {
    case .integer, .real: true
    default: false
    }
  }

  private static func text(of bytes: [UInt8]) -> String {
    let shown = bytes.prefix(32).map { byte in
      byte < 16 ? "0" + String(byte, radix: 16) : String(byte, radix: 16)
    }
    let rest = bytes.count > 32 ? "… \(bytes.count.grouped) bytes" : ""
    return "<" + shown.joined() + rest + ">"
  }
}

extension Record {
  fileprivate func appendLiteral(to text: inout String) {
    text += "{"
    for (index, (key, value)) in zip(keys, values).enumerated() {
      if index > 0 { text += ", " }
      text += key.isPlainName ? key : key.quoted
      text += ": "
      value.appendLiteral(to: &text)
    }
    text += "}"
  }
}

extension String {
  /// The string in double quotes, with escapes.
  var quoted: String {
    var text = ""
    for scalar in unicodeScalars {
      if scalar == "\"" || scalar == "\\" { text.unicodeScalars.append("\\") }
      text.unicodeScalars.append(scalar)
    }
    return "\"" + text.escapingControls() + "\""
  }

  fileprivate var isPlainName: Bool {
    guard let first, first.isLetter || first == "_" else { return false }
    return allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}
