/// JSON (RFC 8259): the elements of an array are the rows; any other value is one row.
struct JSONFormat: TableFormat {
  static let names = ["json"]
  static let extensions = ["json", "geojson"]
  static let supportsKeyPath = true

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

  /// Reads the value in a range of the text as a table.
  static func read(
    _ bytes: any ByteStore, _ range: Range<Int>, options: ReadOptions, cancellation: Cancellation
  ) throws -> LoadedTable {
    try JSONDocument(
      bytes, layout: try layout(of: bytes, range), range: range, options: options,
      cancellation: cancellation
    ).load()
  }

  /// Reads a single value.
  /// - Throws: ``TableError/format(_:at:)`` with the position of the error.
  static func value(_ bytes: [UInt8], limits: ReadLimits = ReadLimits()) throws -> Value {
    var cursor = JSONCursor(
      MemoryBytes(bytes), layout: .single, range: 0..<bytes.count, includesStart: true,
      includesEnd: true, keys: JSONKeys(), window: bytes.count, limits: limits,
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

extension JSONFormat {
  /// Reads the rows at a key path, and the requested values in addition to them.
  static func readLocated(
    _ bytes: any ByteStore, options: ReadOptions, cancellation: Cancellation
  ) throws -> LoadedTable {
    let rows = options.keyPath ?? ObjectKeyPath([])
    guard rows.steps.allSatisfy(\.isKeyOrIndex) else {
      throw TableError.badArgument(
        "`keyPath:` must consist of keys and indexes, without operators: `\(rows)`")
    }
    var array: (start: Int, loaded: LoadedTable)?
    var locator = JSONLocator(
      bytes, paths: [rows] + options.extraValues, limits: options.limits, cancellation: cancellation
    ) { start, depth in
      var document = JSONDocument(
        bytes, layout: .elements, range: start..<bytes.count, options: options,
        cancellation: cancellation)
      document.isInner = true
      document.depth = depth
      let (loaded, end) = try document.loadToEnd()
      array = (start, loaded)
      return end + 1
    }
    try locator.locate()
    var loaded: LoadedTable
    if let array, array.start == locator.ranges[0]?.lowerBound {
      loaded = array.loaded
    } else if let range = locator.ranges[0], try !isNull(range, in: bytes) {
      loaded = try read(bytes, range, options: options, cancellation: cancellation)
    } else {
      loaded = LoadedTable(
        table: ValueTable([]), report: LoadReport(format: "JSON", rows: 0))
      loaded.report.notes = ["no value at `\(rows)`"]
    }
    for (path, range) in zip(options.extraValues, locator.ranges.dropFirst()) {
      guard let range, range.count <= maxExtraValueSize else { continue }
      loaded.extraValues[path] = try value(try bytes.bytes(range), limits: options.limits)
    }
    return loaded
  }

  /// Larger values are ignored: the values that are requested are numbers, cursors and URLs.
  private static let maxExtraValueSize = 64 << 10

  private static func isNull(_ range: Range<Int>, in bytes: any ByteStore) throws -> Bool {
    try range.count == 4 && bytes.bytes(range) == Array("null".utf8)
  }
}

extension ObjectKeyPath.Step {
  fileprivate var isKeyOrIndex: Bool { if case .collection = self { false } else { true } }
}

/// One JSON value per line; blank lines are skipped, and malformed lines are rejected.
struct NDJSONFormat: TableFormat {
  static let names = ["ndjson", "jsonl"]
  static let extensions = ["ndjson", "jsonl"]

  /// Whether the first two lines each start an object or array, and the value on the first line is
  /// complete.
  static func matches(_ sample: [UInt8]) -> Bool {
    let lines = sample.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
      .map { line in line.drop { JSONScanner.isSpace($0, false) } }
      .filter { !$0.isEmpty }
    guard lines.count > 1 else { return false }
    return lines.prefix(2).allSatisfy {
      $0.first == UInt8(ascii: "{") || $0.first == UInt8(ascii: "[")
    }
      && (try? JSONFormat.value(Array(lines[0]))) != nil
  }

  static func read(
    _ bytes: any ByteStore, options: ReadOptions, cancellation: Cancellation
  ) throws -> LoadedTable {
    try JSONDocument(bytes, layout: .lines, options: options, cancellation: cancellation).load()
  }
}

extension Value {
  /// The value of a JSON text (RFC 8259). If a key repeats, its last value counts; escaped lone
  /// surrogates are read as U+FFFD.
  ///
  /// - Throws: ``TableError/format(_:at:)`` with the line and column, in bytes, of the error;
  ///   ``TableError/limit(_:setting:at:)`` for a value that is nested too deep.
  public init(json: String, limits: ReadLimits = ReadLimits()) throws {
    self = try JSONFormat.value(Array(json.utf8), limits: limits)
  }
}
