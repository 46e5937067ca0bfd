/// JSON (RFC 8259): the elements of an array are the rows. Any other value is one row, unless it is
/// an object that holds exactly one array of records, or `rows:` specifies another shape. Values that follow
/// each other are rows, too.
struct JSONFormat: TableFormat {
  let names = ["json"]
  let extensions = ["json", "geojson", "json5", "jsonc"]
  let mediaTypes = ["application/json", "text/json", "application/json5", "+json"]
  let options = [.keyPath, .rows, .relaxed] + ReadOption.cellTypes + [.encoding, .strict]
  let writing: FormatWriting? = FormatWriting(nestsSections: true) { layout, _ in
    JSONWriter(layout)
  }

  func recognize(_ sample: FormatSample) -> Recognition {
    guard let text = sample.text else { return .impossible }
    guard RelaxedJSONReader.startsContainer(text) else { return .ifNamed }
    // The headers of INI and TOML, `[Unit]`, start like an array.
    let others: [any TableFormat] = [NDJSONFormat(), INIFormat(), TOMLFormat()]
    if others.contains(where: { $0.recognize(sample) >= .likely }) { return .ifNamed }
    let name = sample.name.lowercased()
    if extensions.contains(where: { name.hasSuffix("." + $0) }) { return .likely }
    return Self.isDocument(text, isWhole: sample.isWhole) ? .certain : .likely
  }

  /// Whether the first bytes of a file are an object or array of several lines, which no other format
  /// has.
  private static func isDocument(_ text: [UInt8], isWhole: Bool) -> Bool {
    guard let start = text.firstIndex(where: { !JSONScanner.isSpace($0, true) }),
      let end = text.lastIndex(where: { !JSONScanner.isSpace($0, true) }),
      text[start...end].contains(where: { $0 == 0x0A || $0 == 0x0D })
    else { return false }
    return RelaxedJSONReader.isDocument(text, isWhole: isWhole)
  }

  func read(_ input: FormatInput) throws -> LoadedTable {
    try input.withText { text in
      if input.options.isRelaxed ?? Self.isRelaxed(input.name) {
        return try RelaxedJSON(text, input).load()
      }
      do {
        return try Self.read(text, input)
      } catch TableError.format(let message, let position) {
        // A valid document fails too, for example because of a requested type.
        let plain = FormatInput(
          name: input.name, bytes: text, request: ReadRequest(options: input.options.plain),
          cancellation: input.cancellation)
        let isValid = try input.cancellation.attempt { try Self.read(text, plain) } != nil
        var advice = ""
        if !isValid, input.options.isRelaxed == nil {
          if try RelaxedJSON.canRead(text, input) {
            advice = RelaxedJSON.advice
          } else if try NDJSONFormat.reads(text) {
            advice = "not one document, but `format: ndjson` reads the lines that are JSON: "
          }
        }
        throw TableError.format(advice + message, at: position)
      }
    }
  }

  /// Whether the extension is that of a relaxed variant.
  private static func isRelaxed(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasSuffix(".json5") || name.hasSuffix(".jsonc")
  }

  private static func read(_ text: any ByteStore, _ input: FormatInput) throws -> LoadedTable {
    let (request, cancellation) = (input.request, input.cancellation)
    switch try request.options.documentShape() {
    case .values, .columns: return try readDocument(text, input)
    case nil where request.options.keyPath == nil && request.extraValues.isEmpty:
      return try readDetected(text, request: request, cancellation: cancellation)
    case .object, nil:
      if request.options.keyPath != nil || !request.extraValues.isEmpty {
        return try readLocated(text, request: request, cancellation: cancellation)
      }
      return try read(text, 0..<text.count, request: request, cancellation: cancellation)
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
  static func value(
    _ bytes: [UInt8], limits: ReadLimits = ReadLimits(), cancellation: Cancellation = Cancellation()
  ) throws -> Value {
    try reading(bytes, limits: limits, cancellation: cancellation).value
  }

  /// A value, and what is reported about it.
  struct Reading {
    var value = Value.null
    /// The number of records with a duplicate key, and the offset of the first one.
    var duplicates = 0
    var firstDuplicate = 0
    var loneSurrogates = 0
  }

  /// Reads a single value.
  static func reading(
    _ bytes: [UInt8], limits: ReadLimits, cancellation: Cancellation
  ) throws -> Reading {
    var cursor = JSONCursor(
      MemoryBytes(bytes), layout: .single, range: 0..<bytes.count, includesStart: true,
      includesEnd: true, keys: JSONKeys(), window: bytes.count, limits: limits,
      cancellation: cancellation)
    var builder = JSONBuilder()
    var reading = Reading()
    while let row = try cursor.next() {
      reading.value = builder.value(row.bytes)
      reading.duplicates = builder.duplicates
      reading.firstDuplicate = row.offset + builder.firstDuplicate
      reading.loneSurrogates = cursor.scanner.loneSurrogates
    }
    return reading
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
    guard rows.steps.allSatisfy(\.isKeyOrIndex) else { throw operatorError(rows) }
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
      loaded = try missingRows(
        at: rows, in: bytes, limits: request.options.limits, cancellation: cancellation)
    }
    if !rows.steps.isEmpty { loaded.report.rowsAreWhole = false }
    for (path, range) in zip(request.extraValues, locator.ranges.dropFirst()) {
      guard let range, range.count <= maxExtraValueSize else { continue }
      loaded.extraValues[path] = try value(try bytes.bytes(range), limits: request.options.limits)
    }
    return loaded
  }

  /// Larger values are ignored: the values that are requested are numbers, cursors and URLs.
  private static let maxExtraValueSize = 64 << 10

  static func isNull(_ range: Range<Int>, in bytes: any ByteStore) throws -> Bool {
    try range.count == 4 && bytes.bytes(range) == Array("null".utf8)
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
