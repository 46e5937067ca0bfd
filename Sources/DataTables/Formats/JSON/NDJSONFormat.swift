/// One JSON value per line; blank lines are skipped, and malformed lines are rejected.
struct NDJSONFormat: TableFormat {
  let names = ["ndjson", "jsonl"]
  let extensions = ["ndjson", "jsonl"]
  let mediaTypes = [
    "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines",
    "application/jsonlines",
  ]
  let options = [.relaxed] + ReadOption.cellTypes + [.encoding, .strict]
  let allowsEmptyFile = true
  let writing: FormatWriting? = FormatWriting { _, _ in NDJSONWriter() }

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
      if input.options.isRelaxed == true { return try RelaxedJSON(text, input).loadLines() }
      let name = input.name.lowercased()
      let isNamed =
        input.options.format != nil || extensions.contains { name.hasSuffix("." + $0) }
      return try Self.read(
        text, isNamed: isNamed, request: input.request, cancellation: input.cancellation)
    }
  }

  /// Whether most of the first lines of a text, at least two, are each an object or an array.
  static func reads(_ text: any ByteStore) throws -> Bool {
    let sample = try text.bytes(0..<min(64 << 10, text.count))
    var lines = sample.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    if sample.count < text.count { lines = lines.dropLast() }
    let first = lines.prefix(100)
    let values = first.count { line in
      let start = line.first { !JSONScanner.isSpace($0, false) }
      return (start == UInt8(ascii: "{") || start == UInt8(ascii: "["))
        && (try? JSONFormat.value(Array(line))) != nil
    }
    return values > 1 && values * 2 > first.count
  }

  /// Reads a text with one value on each line.
  ///
  /// - Parameter isNamed: whether the name of the file or an option demands the format. Otherwise,
  ///   if lines are malformed, the text is read as values that may extend over several lines.
  static func read(
    _ text: any ByteStore, isNamed: Bool = false, request: ReadRequest, cancellation: Cancellation
  ) throws -> LoadedTable {
    var loaded = try JSONDocument(
      text, layout: .lines, request: request, cancellation: cancellation
    ).load()
    if loaded.report.rejected > 0, !isNamed,
      let sequence = try JSONFormat.readSequence(
        text, request: request, cancellation: cancellation)
    {
      return sequence
    }
    if request.options.isRelaxed == nil, let reject = loaded.report.rejects.first,
      RelaxedJSON.canRead(lineAt: reject.offset, of: text, limits: request.options.limits)
    {
      loaded.report.notes.append("line \(reject.line) is relaxed JSON; `relaxed: true` reads it")
    }
    return loaded
  }
}
