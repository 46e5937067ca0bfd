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
