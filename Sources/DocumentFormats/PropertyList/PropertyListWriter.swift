import DataTables

/// Writes a property list in XML: an array with an element for each object.
///
/// Property lists have no null: keys with null are left out. Dates are written in GMT.
struct PropertyListWriter: TableWriter {
  private let nestsSections: Bool

  init(_ layout: WriteLayout) { nestsSections = layout.nestsSections }

  private static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <array>

    """

  func begin(_ bytes: inout [UInt8]) throws(TableError) {
    bytes.append(contentsOf: Self.head.utf8)
  }

  func append(_ objects: [Value], to bytes: inout [UInt8]) throws(TableError) {
    let indent = nestsSections ? 3 : 1
    for object in objects { try Self.append(object, indent: indent, to: &bytes) }
  }

  func beginSection(_ title: Value, _ bytes: inout [UInt8]) throws(TableError) {
    Self.appendLine("<dict>", indent: 1, to: &bytes)
    if !title.isNull {
      Self.appendLine("<key>\(WriteLayout.titleKey)</key>", indent: 2, to: &bytes)
      try Self.append(title, indent: 2, to: &bytes)
    }
    Self.appendLine("<key>\(WriteLayout.objectsKey)</key>", indent: 2, to: &bytes)
    Self.appendLine("<array>", indent: 2, to: &bytes)
  }

  func endSection(_ bytes: inout [UInt8]) {
    Self.appendLine("</array>", indent: 2, to: &bytes)
    Self.appendLine("</dict>", indent: 1, to: &bytes)
  }

  func end(_ bytes: inout [UInt8]) { bytes.append(contentsOf: "</array>\n</plist>\n".utf8) }
}

// Elements.
extension PropertyListWriter {
  private static func appendLine(_ line: String, indent: Int, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: repeatElement(0x09, count: indent))
    bytes.append(contentsOf: line.utf8)
    bytes.append(0x0A)
  }

  private static func append(
    _ value: Value, indent: Int, to bytes: inout [UInt8]
  ) throws(TableError) {
    switch value {
    case .array(let elements):
      appendLine("<array>", indent: indent, to: &bytes)
      for element in elements { try append(element, indent: indent + 1, to: &bytes) }
      appendLine("</array>", indent: indent, to: &bytes)
    case .record(let record):
      appendLine("<dict>", indent: indent, to: &bytes)
      for (key, value) in zip(record.keys, record.values) where !value.isNull {
        appendLine("<key>\(try escaped(key))</key>", indent: indent + 1, to: &bytes)
        try append(value, indent: indent + 1, to: &bytes)
      }
      appendLine("</dict>", indent: indent, to: &bytes)
    default: appendLine(try element(value), indent: indent, to: &bytes)
    }
  }

  /// The element of a value that has no parts.
  private static func element(_ value: Value) throws(TableError) -> String {
    switch value {
    case .null:
      throw .badArgument(
        "a property list cannot hold null outside of a record; write JSON, or leave such objects out"
      )
    case .bool(let bool): return bool ? "<true/>" : "<false/>"
    case .integer(let integer): return "<integer>\(integer)</integer>"
    case .real(let real):
      guard real.isFinite else {
        let name = real.value.isNaN ? "nan" : real.value > 0 ? "+infinity" : "-infinity"
        return "<real>\(name)</real>"
      }
      let text = value.json
      let isInteger = text.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: "-") }
      return isInteger ? "<integer>\(text)</integer>" : "<real>\(text)</real>"
    case .string(let string): return "<string>\(try escaped(string))</string>"
    case .date(let date): return element(date)
    case .data(let data): return "<data>\(Base64.encoded(data))</data>"
    case .array, .record: return ""
    }
  }

  /// Dates of property lists are in GMT and have no fractions of seconds; others are strings.
  private static func element(_ date: Timestamp) -> String {
    let time = date.civil()
    guard date.nanoseconds == 0, (0...9999).contains(time.year) else {
      return "<string>\(date.isoText)</string>"
    }
    func padded(_ number: Int, _ count: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
    let day = "\(padded(time.year, 4))-\(padded(time.month, 2))-\(padded(time.day, 2))"
    let clock = [time.hour, time.minute, time.second].map { padded($0, 2) }
    return "<date>\(day)T\(clock.joined(separator: ":"))Z</date>"
  }

  /// - Throws: `TableError.badArgument` for a character that XML does not have.
  private static func escaped(_ string: String) throws(TableError) -> String {
    var text = String.UnicodeScalarView()
    for scalar in string.unicodeScalars {
      switch scalar {
      case "&": text.append(contentsOf: "&amp;".unicodeScalars)
      case "<": text.append(contentsOf: "&lt;".unicodeScalars)
      case ">": text.append(contentsOf: "&gt;".unicodeScalars)
      case "\r": text.append(contentsOf: "&#13;".unicodeScalars)
      case "\t", "\n": text.append(scalar)
      case "\0"..."\u{1F}", "\u{FFFE}", "\u{FFFF}":
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let zeros = String(repeating: "0", count: 4 - digits.utf8.count)
        throw .badArgument(
          "\(Value.string(string).excerpt) has the character U+\(zeros)\(digits), which property "
            + "lists cannot hold; write JSON")
      default: text.append(scalar)
      }
    }
    return String(text)
  }
}
