/// Writes rows in the form of RFC 4180 with LF line ends, after a header.
///
/// Null and a missing key are empty fields, the empty string is a pair of quotes. Arrays, records and
/// data are fields of JSON. Objects that are not records are in a column of their own.
///
/// A null in the only column is a pair of quotes, which reads as null among numbers and is refused
/// among other values.
struct DelimitedWriter: TableWriter {
  private let keys: [String]
  private let hasValues: Bool
  private let fields: FieldWriter
  /// Whether the only column has null, numbers and other values.
  private var (hasNull, hasNumber, hasOther) = (false, false, false)

  /// The header of the column with objects that are not records, after underscores if a key is the
  /// same.
  static let valueKey = "value"

  /// The reason against a null in the only column.
  static let lackOfNull =
    "a single column of strings cannot have null: readers skip blank lines, and `\"\"` is the empty "
    + "string; add a column, or name a file of another format, such as ndjson"

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

  mutating func append(_ objects: [Value], to bytes: inout [UInt8]) throws(TableError) {
    for object in objects {
      let start = bytes.count
      try append(object, to: &bytes)
      if hasOneColumn { try count(object, isBlank: bytes.count == start, &bytes) }
      bytes.append(0x0A)
    }
  }

  private var hasOneColumn: Bool { keys.count + (hasValues ? 1 : 0) == 1 }

  private func append(_ object: Value, to bytes: inout [UInt8]) throws(TableError) {
    if case .record(let record) = object, !keys.isEmpty {
      try append(record, to: &bytes)
      if hasValues { bytes.append(delimiter) }
    } else {
      for _ in keys { bytes.append(delimiter) }
      try fields.append(object, to: &bytes)
    }
  }

  /// Counts an object of a text with one column. Readers skip blank lines.
  private mutating func count(
    _ object: Value, isBlank: Bool, _ bytes: inout [UInt8]
  ) throws(TableError) {
    var value = object
    if case .record(let record) = object, let key = keys.first { value = record[key] ?? .null }
    switch value {
    case .null: hasNull = true
    case .integer, .real: hasNumber = true
    default: hasOther = true
    }
    if isBlank { bytes.append(contentsOf: "\"\"".utf8) }
    if hasNull, hasOther { throw .badArgument(Self.lackOfNull) }
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

  func end(_ bytes: inout [UInt8]) throws(TableError) {
    if hasNull, !hasNumber { throw .badArgument(Self.lackOfNull) }
  }
}
