internal import DataTables

extension Value {
  /// The value on one line, for people: strings as they are, but `"null"` in quotes; arrays and
  /// records as literals of the language.
  var text: String {
    switch self {
    case .string(let text): text == "null" ? "\"null\"" : text.escapingControls()
    default: literal
    }
  }

  /// The value as it could be typed.
  var literal: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .real(let value): value.text.escapingControls()
    case .string(let text): text.quoted
    case .date(let date): date.text.escapingControls()
    case .data(let bytes): Value.text(of: bytes)
    case .array(let elements): "[" + elements.map(\.literal).joined(separator: ", ") + "]"
    case .record(let record): record.literal
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
  fileprivate var literal: String {
    let pairs = zip(keys, values).map { "\($0.isPlainName ? $0 : $0.quoted): \($1.literal)" }
    return "{" + pairs.joined(separator: ", ") + "}"
  }
}

extension String {
  /// In double quotes, with escapes.
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
