/// Reads JSON5 (json5.org) and the `NaN` and `Infinity` that programs write: comments, single
/// quotes, keys without quotes, trailing commas, hexadecimal numbers. The constants `None`, `True` and
/// `False` of Python's dictionaries are read too.
///
/// The text and its values are held in memory.
struct RelaxedJSON {
  /// Precedes the error of a text that is relaxed JSON.
  static let advice = "not strict JSON, but `relaxed: true` reads it: "
  /// Larger texts are not examined for advice.
  private static let maxExamined = 16 << 20

  private let text: any ByteStore
  private let input: FormatInput

  init(_ text: any ByteStore, _ input: FormatInput) {
    self.text = text
    self.input = input
  }

  /// Reads one document, or values one after another, which are rows.
  func load() throws -> LoadedTable {
    let bytes = try wholeText()
    let (values, starts, notes) = try Self.values(in: bytes, input)
    guard values.count == 1, let document = values.first else {
      guard input.options.keyPath == nil, try input.options.documentShape() == nil else {
        throw TableError.badArgument(
          "`keyPath:` and `rows:` expect one document; the text has \(values.count.grouped) values")
      }
      var loaded = try table(of: values, lines: Self.lines(of: starts, in: bytes))
      loaded.report.notes += notes
      return loaded
    }
    let rows = try DocumentRows(of: document, options: input.options)
    var loaded = try JSONFormat.documentTable(rows, lines: [], format: "JSON5", input)
    loaded.report.notes += notes
    for path in input.request.extraValues {
      let value = path.evaluate(on: document)
      if !value.isNull { loaded.extraValues[path] = value }
    }
    return loaded
  }

  /// Reads one value on each line; malformed lines are rejected.
  func loadLines() throws -> LoadedTable {
    let bytes = try wholeText()
    var values: [Value] = []
    var lines: [Int] = []
    var rejects: [Reject] = []
    var rejected = 0
    var duplicates = CountedFinding(.duplicateKeys)
    var surrogates = CountedFinding(.loneSurrogates)
    for line in bytes.withUnsafeBytes({ Array(TextLines($0)) }) {
      try input.cancellation.check()
      do throws(RelaxedJSONReader.Failure) {
        var reader = RelaxedJSONReader(
          bytes, line.range, limits: input.options.limits, cancellation: input.cancellation)
        guard let value = try reader.next() else { continue }
        try reader.expectEnd()
        values.append(value)
        lines.append(line.number)
        if reader.duplicates > 0 { duplicates.note(line: line.number) }
        for _ in 0..<reader.loneSurrogates { surrogates.note(line: line.number) }
      } catch {
        if error.limit != nil || error.isCancelled || input.options.isStrict {
          throw try error.tableError(in: bytes)
        }
        rejected += 1
        guard rejects.count < LoadReport.maxRejects else { continue }
        rejects.append(
          Reject(
            line: line.number, offset: line.range.lowerBound,
            column: error.offset - line.range.lowerBound + 1, reason: error.message(in: bytes),
            text: String(decoding: bytes[line.range].prefix(200), as: UTF8.self)))
      }
    }
    var loaded = try table(of: values, lines: lines)
    // The report already has the values that do not fit a requested type.
    loaded.report.rejects = Array((rejects + loaded.report.rejects).prefix(LoadReport.maxRejects))
    loaded.report.rejected += rejected
    loaded.report.notes += duplicates.notes + surrogates.notes
    return loaded
  }

  private func table(of values: [Value], lines: [Int]) throws -> LoadedTable {
    var rows = try DocumentRows(of: .array(values), options: ReadOptions())
    rows.notes = []
    return try JSONFormat.documentTable(rows, lines: lines, format: "JSON5", input)
  }

  private func wholeText() throws -> [UInt8] {
    try input.checkDocumentSize(text.count)
    let bytes = try text.bytes(0..<text.count)
    if let offset = Self.firstInvalidByte(bytes) {
      throw TableError.encoding(expected: "UTF-8", offset: offset, fitting: "latin1")
    }
    return bytes
  }

  /// Whether a text that is not JSON is relaxed JSON.
  /// - Throws: ``TableError/cancelled``.
  static func canRead(_ text: any ByteStore, _ input: FormatInput) throws(TableError) -> Bool {
    guard text.count <= maxExamined, let bytes = try? text.bytes(0..<text.count),
      firstInvalidByte(bytes) == nil
    else { return false }
    return try input.cancellation.attempt { try values(in: bytes, input) } != nil
  }

  /// Whether the line at an offset, which is not JSON, is relaxed JSON.
  static func canRead(lineAt offset: Int, of text: any ByteStore, limits: ReadLimits) -> Bool {
    guard let bytes = try? text.bytes(offset..<min(text.count, offset + (1 << 20))) else {
      return false
    }
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    guard line.count < 1 << 20 else { return false }
    var reader = RelaxedJSONReader(Array(line), 0..<line.count, limits: limits)
    do throws(RelaxedJSONReader.Failure) {
      guard try reader.next() != nil else { return false }
      try reader.expectEnd()
      return true
    } catch {
      return false
    }
  }

  /// All values of a text, at least one, with their offsets, and notes for the load report.
  private static func values(
    in bytes: [UInt8], _ input: FormatInput
  ) throws -> (values: [Value], starts: [Int], notes: [String]) {
    var values: [Value] = []
    var starts: [Int] = []
    var reader = RelaxedJSONReader(
      bytes, 0..<bytes.count, limits: input.options.limits, cancellation: input.cancellation)
    do throws(RelaxedJSONReader.Failure) {
      while let value = try reader.next() {
        values.append(value)
        starts.append(reader.start)
      }
      if values.isEmpty { throw reader.failure("expected a value") }
    } catch {
      throw try error.tableError(in: bytes)
    }
    func line(_ offset: Int) throws -> Int? { try lines(of: [offset], in: bytes).first }
    let duplicates = CountedFinding(
      .duplicateKeys, count: reader.duplicates, firstLine: try line(reader.firstDuplicate))
    let surrogates = CountedFinding(
      .loneSurrogates, count: reader.loneSurrogates, firstLine: try line(reader.firstLoneSurrogate))
    return (values, starts, duplicates.notes + surrogates.notes)
  }

  /// The lines of ascending offsets.
  private static func lines(of starts: [Int], in bytes: [UInt8]) throws -> [Int] {
    var counter = LineCounter(MemoryBytes(bytes))
    return try starts.map { try counter.line(at: $0) }
  }

  /// The offset of the first byte that is not UTF-8.
  private static func firstInvalidByte(_ bytes: [UInt8]) -> Int? {
    if String(validating: bytes, as: UTF8.self) != nil { return nil }
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var offset = 0
    while case .scalarValue(let scalar) = decoder.decode(&iterator) {
      offset += UTF8.width(scalar)
    }
    return offset
  }
}

extension ReadOptions {
  /// The value of `relaxed:`; nil if it is not given.
  var isRelaxed: Bool? {
    if case .bool(let isRelaxed)? = self[.relaxed] { isRelaxed } else { nil }
  }
}
