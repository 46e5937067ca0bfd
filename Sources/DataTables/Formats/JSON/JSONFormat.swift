/// JSON (RFC 8259): the elements of an array are the rows; anything else is one row.
struct JSONFormat: TableFormat {
  static let names = ["json"]
  static let extensions = ["json", "geojson"]

  static func matches(_ sample: [UInt8]) -> Bool {
    let first = sample.first { !JSONScanner.isSpace($0, true) }
    let opens = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    return opens && !NDJSONFormat.matches(sample)
  }

  static func read(
    _ bytes: any ByteStore, options: ReadOptions, cancellation: Cancellation
  ) throws -> LoadedTable {
    if options.keyPath != nil || !options.extraValues.isEmpty {
      return try readLocated(bytes, options: options, cancellation: cancellation)
    }
    return try read(bytes, 0..<bytes.count, options: options, cancellation: cancellation)
  }

  /// Reads the value that stands in a part of the text.
  static func read(
    _ bytes: any ByteStore, _ range: Range<Int>, options: ReadOptions, cancellation: Cancellation
  ) throws -> LoadedTable {
    try JSONDocument(
      bytes, layout: try layout(of: bytes, range), range: range, options: options,
      cancellation: cancellation
    ).load()
  }

  /// Reads one value; ``load`` reads a text of them.
  /// - Throws: ``TableError/format(_:at:)`` with the place where it goes wrong.
  static func value(_ bytes: [UInt8], limits: ReadLimits = ReadLimits()) throws -> Value {
    var cursor = JSONCursor(
      MemoryBytes(bytes), layout: .single, range: 0..<bytes.count, opens: true,
      closes: true, keys: JSONKeys(), window: bytes.count, limits: limits,
      cancellation: Cancellation())
    var builder = JSONBuilder()
    var value = Value.null
    while let row = try cursor.next() { value = builder.value(row.bytes) }
    return value
  }

  private static func layout(of bytes: any ByteStore, _ range: Range<Int>) throws -> JSONLayout {
    var start = range.lowerBound
    while true {
      let sample = try bytes.bytes(start..<min(start + 4096, range.upperBound))
      if let first = sample.first(where: { !JSONScanner.isSpace($0, true) }) {
        return first == UInt8(ascii: "[") ? .elements : .single
      }
      start += sample.count
      if sample.isEmpty { return .single }
    }
  }
}

extension Value {
  /// The value of a JSON text (RFC 8259). Of keys that come twice the last value counts; escapes of
  /// lone surrogates are read as U+FFFD.
  ///
  /// - Throws: ``TableError/format(_:at:)`` with the line and column, in bytes, where the text goes
  ///   wrong; ``TableError/limit(_:setting:at:)`` for a value that is nested too deep.
  public init(json: String, limits: ReadLimits = ReadLimits()) throws {
    self = try JSONFormat.value(Array(json.utf8), limits: limits)
  }
}
