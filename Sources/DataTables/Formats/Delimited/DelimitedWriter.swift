/// Writes rows in the form of RFC 4180 with LF line ends, after a header.
///
/// Null and a missing key are empty fields, the empty string is a pair of quotes. Arrays, records and
/// data are fields of JSON. Objects that are not records are in a column of their own.
struct DelimitedWriter: TableWriter {
  private let keys: [String]
  private let hasValues: Bool
  private let fields: FieldWriter

  /// The header of the column with objects that are not records, after underscores if a key is the
  /// same.
  static let valueKey = "value"

  init(_ layout: WriteLayout, delimiter: UInt8) {
    keys = layout.keys
    hasValues = layout.hasOtherObjects || layout.keys.isEmpty
    fields = FieldWriter(delimiter: delimiter)
  }

  var delimiter: UInt8 { fields.delimiter }

  func begin(_ bytes: inout [UInt8]) throws(TableError) {
    var header = keys
    if hasValues {
      var name = Self.valueKey
      while keys.contains(name) { name = "_" + name }
      header.append(name)
    }
    for (index, key) in header.enumerated() {
      if index > 0 { bytes.append(delimiter) }
      try fields.append(key, to: &bytes)
    }
    bytes.append(0x0A)
  }

  func append(_ objects: [Value], to bytes: inout [UInt8]) throws(TableError) {
    for object in objects { try append(object, to: &bytes) }
  }

  private func append(_ object: Value, to bytes: inout [UInt8]) throws(TableError) {
    let start = bytes.count
    if case .record(let record) = object, !keys.isEmpty {
      try append(record, to: &bytes)
      if hasValues { bytes.append(delimiter) }
    } else {
      for _ in keys { bytes.append(delimiter) }
      try fields.append(object, to: &bytes)
    }
    // Readers skip blank lines.
    if bytes.count == start { bytes.append(contentsOf: "\"\"".utf8) }
    bytes.append(0x0A)
  }

  private func append(_ record: Record, to bytes: inout [UInt8]) throws(TableError) {
    // The records of a table share the storage of their keys, which makes the comparison O(1).
    if record.keys == keys {
      for (index, value) in record.values.enumerated() {
        if index > 0 { bytes.append(delimiter) }
        try fields.append(value, to: &bytes)
      }
      return
    }
    for (index, key) in keys.enumerated() {
      if index > 0 { bytes.append(delimiter) }
      if let value = record[key] { try fields.append(value, to: &bytes) }
    }
  }

  func end(_ bytes: inout [UInt8]) {}
}

/// Writes single fields of a delimited text, quoted where the field would be read otherwise.
struct FieldWriter {
  let delimiter: UInt8
  /// The byte of a comment; a field that begins with it is quoted.
  var comment = UInt8(ascii: "#")
  /// Quotes that are doubled within a quoted field.
  var quote = UInt8(ascii: "\"")
  /// Whether all strings and keys are quoted.
  var quotesStrings = false

  /// - Throws: ``TableError/badArgument(_:)`` for a string with U+0000.
  func append(_ value: Value, to bytes: inout [UInt8]) throws(TableError) {
    switch value {
    case .null: break
    case .bool(let bool): bytes.append(contentsOf: (bool ? "true" : "false").utf8)
    case .integer(let integer): Self.append(integer, to: &bytes)
    case .real(let real):
      try append(real.isFinite ? real.number : real.text, to: &bytes, isString: false)
    case .string(let string): try append(string, to: &bytes)
    case .date(let date): try append(date.text, to: &bytes, isString: false)
    case .data(let data): try append(Base64.encoded(data), to: &bytes)
    case .array, .record: try append(value.json, to: &bytes)
    }
  }

  /// - Throws: ``TableError/badArgument(_:)`` for a string with U+0000.
  func append(
    _ string: String, to bytes: inout [UInt8], isString: Bool = true
  ) throws(TableError) {
    var string = string
    var hasNUL = false
    string.withUTF8 { utf8 in
      guard isString && quotesStrings || needsQuotes(utf8, &hasNUL) else {
        bytes.append(contentsOf: utf8)
        return
      }
      bytes.append(quote)
      var start = 0
      for index in utf8.indices where utf8[index] == quote {
        bytes.append(contentsOf: utf8[start...index])
        start = index
      }
      bytes.append(contentsOf: utf8[start...])
      bytes.append(quote)
    }
    guard hasNUL else { return }
    throw .badArgument(
      "\(Value.string(string).excerpt) has the character U+0000, which delimited text cannot hold")
  }

  /// Whether a field would be read as something else without quotes: the empty string as null, and
  /// surrounding blanks not at all.
  private func needsQuotes(
    _ utf8: UnsafeBufferPointer<UInt8>, _ hasNUL: inout Bool
  ) -> Bool {
    guard let first = utf8.first, let last = utf8.last else { return true }
    var isSpecial = first <= 0x20 || last <= 0x20 || first == comment
    // The byte order mark, which readers drop at the start of a text.
    if first == 0xEF, utf8.starts(with: [0xEF, 0xBB, 0xBF]) { isSpecial = true }
    for byte in utf8 {
      if byte == delimiter || byte == quote || byte == 0x0A || byte == 0x0D { isSpecial = true }
      if byte == 0 { hasNUL = true }
    }
    return isSpecial
  }

  private static func append(_ integer: Int, to bytes: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var place = digits.count
      var magnitude = integer.magnitude
      repeat {
        place -= 1
        digits[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude % 10)
        magnitude /= 10
      } while magnitude > 0
      if integer < 0 {
        place -= 1
        digits[place] = UInt8(ascii: "-")
      }
      bytes.append(contentsOf: digits[place...])
    }
  }
}
