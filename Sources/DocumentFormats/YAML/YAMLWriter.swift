import DataTables

/// Writes a YAML sequence with an item for each object, in block style.
struct YAMLWriter: TableWriter {
  private let nestsSections: Bool
  private var isEmpty = true
  private var isSectionEmpty = true

  init(_ layout: WriteLayout) { nestsSections = layout.nestsSections }

  func begin(_ bytes: inout [UInt8]) throws(TableError) {}

  mutating func append(_ objects: [Value], to bytes: inout [UInt8]) throws(TableError) {
    let indent = nestsSections ? 4 : 0
    for object in objects {
      if nestsSections, isSectionEmpty { bytes.append(0x0A) }
      isSectionEmpty = false
      isEmpty = false
      Self.appendItem(object, indent: indent, to: &bytes)
    }
  }

  mutating func beginSection(_ title: Value, _ bytes: inout [UInt8]) throws(TableError) {
    (isEmpty, isSectionEmpty) = (false, true)
    bytes.append(contentsOf: "- \(WriteLayout.titleKey):".utf8)
    Self.appendValue(title, indent: 2, to: &bytes)
    bytes.append(contentsOf: "  \(WriteLayout.objectsKey):".utf8)
  }

  func endSection(_ bytes: inout [UInt8]) {
    if isSectionEmpty { bytes.append(contentsOf: " []\n".utf8) }
  }

  func end(_ bytes: inout [UInt8]) {
    if isEmpty { bytes.append(contentsOf: "[]\n".utf8) }
  }
}

// Nodes.
extension YAMLWriter {
  /// Keys of more characters need the explicit form of a key.
  private static let maxPlainKey = 128

  private static func appendSpaces(_ count: Int, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: count))
  }

  private static func appendItem(_ value: Value, indent: Int, to bytes: inout [UInt8]) {
    appendSpaces(indent, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    switch value {
    case .record(let record) where record.count > 0:
      bytes.append(UInt8(ascii: " "))
      appendMembers(record, indent: indent + 2, isFirstIndented: false, to: &bytes)
    default: appendValue(value, indent: indent + 2, to: &bytes)
    }
  }

  /// Appends a value after the mark of its key or item: on the same line, or in the lines after it.
  private static func appendValue(_ value: Value, indent: Int, to bytes: inout [UInt8]) {
    switch value {
    case .record(let record) where record.count > 0:
      bytes.append(0x0A)
      appendMembers(record, indent: indent, isFirstIndented: true, to: &bytes)
    case .array(let elements) where !elements.isEmpty:
      bytes.append(0x0A)
      for element in elements { appendItem(element, indent: indent, to: &bytes) }
    default:
      bytes.append(UInt8(ascii: " "))
      bytes.append(contentsOf: scalar(value).utf8)
      bytes.append(0x0A)
    }
  }

  private static func appendMembers(
    _ record: Record, indent: Int, isFirstIndented: Bool, to bytes: inout [UInt8]
  ) {
    for (index, (key, value)) in zip(record.keys, record.values).enumerated() {
      if index > 0 || isFirstIndented { appendSpaces(indent, to: &bytes) }
      let text = scalar(key)
      if text.utf8.count > maxPlainKey {
        bytes.append(contentsOf: "? \(text)\n".utf8)
        appendSpaces(indent, to: &bytes)
      } else {
        bytes.append(contentsOf: text.utf8)
      }
      bytes.append(UInt8(ascii: ":"))
      appendValue(value, indent: indent + 2, to: &bytes)
    }
  }

  private static func scalar(_ value: Value) -> String {
    switch value {
    case .string(let string): return scalar(string)
    case .date(let date):
      // YAML has no comma before the fraction of a second.
      return date.isoText.replacing(",", with: ".")
    case .data(let data): return "!!binary \"\(Base64.encoded(data))\""
    case .real(let real) where !real.isFinite:
      return real.value.isNaN ? ".nan" : real.value > 0 ? ".inf" : "-.inf"
    case .null, .bool, .integer, .real, .array, .record: return value.json
    }
  }

  private static func scalar(_ string: String) -> String {
    isPlain(string) ? string : quoted(string)
  }

  /// Words that YAML 1.1 reads as other values, in lowercase.
  private static let otherWords: Set = [
    "null", "true", "false", "yes", "no", "on", "off", "y", "n",
  ]

  /// Whether every reader takes a string without quotes for a string: it begins with a letter, and has
  /// only letters, digits and a few signs.
  private static func isPlain(_ string: String) -> Bool {
    guard let first = string.utf8.first, first.isLetter, string.utf8.last != UInt8(ascii: " ")
    else { return false }
    let isSafe = string.utf8.allSatisfy { byte in
      byte.isLetter || byte.isDigit || " _-./()".utf8.contains(byte)
    }
    return isSafe && !otherWords.contains(string.lowercased())
  }

  /// The string in the escapes of JSON, and of YAML for characters that YAML does not allow.
  private static func quoted(_ string: String) -> String {
    var text = String.UnicodeScalarView()
    for scalar in Value.string(string).json.unicodeScalars {
      switch scalar.value {
      case 0x7F...0xA0, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF:
        let digits = String(scalar.value, radix: 16)
        let zeros = String(repeating: "0", count: 4 - digits.utf8.count)
        text.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
      default: text.append(scalar)
      }
    }
    return String(text)
  }
}
