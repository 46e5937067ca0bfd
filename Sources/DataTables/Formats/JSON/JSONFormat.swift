/// JSON (RFC 8259): the elements of an array are the rows; any other value is one row.
struct JSONFormat: TableFormat {
  let names = ["json"]
  let extensions = ["json", "geojson"]
  let mediaTypes = ["application/json", "text/json", "+json"]
  let options = [.keyPath] + ReadOption.cellTypes + [.encoding, .strict]
  let isWritable = true

  func recognize(_ sample: FormatSample) -> Recognition {
    guard let text = sample.text else { return .impossible }
    let first = text.first { !JSONScanner.isSpace($0, true) }
    let opens = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    return opens && NDJSONFormat().recognize(sample) < .likely ? .likely : .ifNamed
  }

  func read(_ input: FormatInput) throws -> LoadedTable {
    try input.withText { text in
      let request = input.request
      if request.options.keyPath != nil || !request.extraValues.isEmpty {
        return try Self.readLocated(text, request: request, cancellation: input.cancellation)
      }
      return try Self.read(
        text, 0..<text.count, request: request, cancellation: input.cancellation)
    }
  }

  /// Reads the value in a range of the text as a table.
  static func read(
    _ bytes: any ByteStore, _ range: Range<Int>, request: ReadRequest, cancellation: Cancellation
  ) throws -> LoadedTable {
    try JSONDocument(
      bytes, layout: try layout(of: bytes, range), range: range, request: request,
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
    _ bytes: any ByteStore, request: ReadRequest, cancellation: Cancellation
  ) throws -> LoadedTable {
    let rows = request.options.keyPath ?? ObjectKeyPath([])
    guard rows.steps.allSatisfy(\.isKeyOrIndex) else {
      throw TableError.badArgument(
        "`keyPath:` must consist of keys and indexes, without operators: `\(rows)`")
    }
    var array: (start: Int, loaded: LoadedTable)?
    var locator = JSONLocator(
      bytes, paths: [rows] + request.extraValues, limits: request.options.limits,
      cancellation: cancellation
    ) { start, depth in
      var document = JSONDocument(
        bytes, layout: .elements, range: start..<bytes.count, request: request,
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
      loaded = try read(bytes, range, request: request, cancellation: cancellation)
    } else {
      loaded = LoadedTable(
        table: ValueTable([]), report: LoadReport(format: "JSON", rows: 0))
      loaded.report.notes = ["no value at `\(rows)`"]
    }
    for (path, range) in zip(request.extraValues, locator.ranges.dropFirst()) {
      guard let range, range.count <= maxExtraValueSize else { continue }
      loaded.extraValues[path] = try value(try bytes.bytes(range), limits: request.options.limits)
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
  let names = ["ndjson", "jsonl"]
  let extensions = ["ndjson", "jsonl"]
  let mediaTypes = [
    "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines",
    "application/jsonlines",
  ]
  let options = ReadOption.cellTypes + [.encoding, .strict]
  let allowsEmptyFile = true
  let isWritable = true

  /// The first two lines each start an object or array, and the value on the first line is
  /// complete.
  func recognize(_ sample: FormatSample) -> Recognition {
    guard let text = sample.text else { return .impossible }
    let lines = text.prefix(8 << 10).split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
      .map { line in line.drop { JSONScanner.isSpace($0, false) } }
      .filter { !$0.isEmpty }
    let startValues = lines.prefix(2).allSatisfy {
      $0.first == UInt8(ascii: "{") || $0.first == UInt8(ascii: "[")
    }
    guard lines.count > 1, startValues, (try? JSONFormat.value(Array(lines[0]))) != nil else {
      return .ifNamed
    }
    return .certain
  }

  func read(_ input: FormatInput) throws -> LoadedTable {
    try input.withText { text in
      try JSONDocument(
        text, layout: .lines, request: input.request, cancellation: input.cancellation
      ).load()
    }
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
