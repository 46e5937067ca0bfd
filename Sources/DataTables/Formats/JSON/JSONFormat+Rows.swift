// The rows of a JSON document that is one object.
extension JSONFormat {
  /// Reads a text without options that determine the rows.
  static func readDetected(
    _ text: any ByteStore, request: ReadRequest, cancellation: Cancellation
  ) throws -> LoadedTable {
    let survey: JSONSurvey?
    do {
      survey = try JSONSurvey(
        text, limits: request.options.limits, cancellation: cancellation)
    } catch TableError.cancelled {
      throw TableError.cancelled
    } catch is TableError {
      // Reading the text as one value finds the exact place of the error.
      survey = nil
    }
    guard let survey else {
      return try readValueOrSequence(text, request: request, cancellation: cancellation)
    }
    switch survey.following {
    case .lines: return try NDJSONFormat.read(text, request: request, cancellation: cancellation)
    case let layout?:
      return try JSONDocument(
        text, layout: layout, request: request, cancellation: cancellation
      ).load()
    case nil: break
    }
    var loaded: LoadedTable
    if let key = survey.members.onlyRecordArray {
      var request = request
      request.options.keyPath = ObjectKeyPath(key: key)
      loaded = try readLocated(text, request: request, cancellation: cancellation)
      if survey.isFeatureCollection, key == "features" { loaded.report.format = "GeoJSON" }
    } else {
      loaded = try read(text, 0..<text.count, request: request, cancellation: cancellation)
    }
    loaded.report.notes += survey.members.notes
    return loaded
  }

  /// Reads one value, or several such as `[1] [2]` if more values follow the first.
  private static func readValueOrSequence(
    _ text: any ByteStore, request: ReadRequest, cancellation: Cancellation
  ) throws -> LoadedTable {
    do {
      return try read(text, 0..<text.count, request: request, cancellation: cancellation)
    } catch TableError.format(let message, let position) {
      let sequence = try readSequence(text, request: request, cancellation: cancellation)
      guard let sequence, sequence.table.count > 1 else {
        throw TableError.format(message, at: position)
      }
      return sequence
    }
  }

  /// Reads values one after another; nil for a malformed text.
  static func readSequence(
    _ text: any ByteStore, request: ReadRequest, cancellation: Cancellation
  ) throws -> LoadedTable? {
    do {
      return try JSONDocument(
        text, layout: .sequence, request: request, cancellation: cancellation
      ).load()
    } catch TableError.cancelled {
      throw TableError.cancelled
    } catch is TableError {
      return nil
    }
  }

  /// Reads the members of an object as rows or as columns, in memory.
  static func readDocument(_ text: any ByteStore, _ input: FormatInput) throws -> LoadedTable {
    var options = input.options
    var range = 0..<text.count
    if let path = options.keyPath {
      guard path.steps.allSatisfy(\.isKeyOrIndex) else { throw operatorError(path) }
      var locator = JSONLocator(
        text, paths: [path], limits: options.limits, cancellation: input.cancellation)
      try locator.locate()
      guard let found = locator.ranges[0] else {
        return try missingRows(
          at: path, in: text, limits: options.limits, cancellation: input.cancellation)
      }
      range = found
      options.keyPath = nil
    }
    try input.checkDocumentSize(range.count)
    var limits = options.limits
    limits.row = max(limits.row, range.count)
    let reading = try reading(
      try text.bytes(range), limits: limits, cancellation: input.cancellation)
    var rows = try DocumentRows(of: reading.value, options: options)
    if reading.duplicates > 0 {
      let line = try TextPosition(of: range.lowerBound + reading.firstDuplicate, in: text).line
      rows.notes += CountedFinding(.duplicateKeys, count: reading.duplicates, firstLine: line).notes
    }
    rows.notes +=
      CountedFinding(.loneSurrogates, count: reading.loneSurrogates, firstLine: nil).notes
    let lines = try lines(of: rows, in: text, range, limits: limits)
    return try documentTable(rows, lines: lines, format: "JSON", input)
  }

  /// The table of rows in memory, with its report.
  static func documentTable(
    _ rows: DocumentRows, lines: [Int], format: String, _ input: FormatInput
  ) throws -> LoadedTable {
    let table = ValueTable(rows.rows, lines: lines)
    var report = LoadReport(format: format, rows: table.count)
    if input.request.reportsColumns, !table.hasOtherRows {
      report.columns =
        table.keys.count > JSONDocument.maxExactKeys
        ? ValueColumns(rows.rows).reports(rows: table.count, lines: lines)
        : try table.keys.map { try table.report(on: $0, cancellation: input.cancellation) }
    }
    report.notes = rows.notes
    report.missingPath = rows.missingPath
    report.rowsAreWhole = rows.areWhole
    return try LoadedTable(table: table, report: report).requesting(
      input.request, of: table, cancellation: input.cancellation)
  }

  /// The lines of the members that are rows; empty if the rows have no lines of their own.
  private static func lines(
    of rows: DocumentRows, in text: any ByteStore, _ range: Range<Int>, limits: ReadLimits
  ) throws -> [Int] {
    guard !rows.rows.isEmpty, rows.path(ofRow: 0) != nil else { return [] }
    let starts = try JSONLocator.memberStarts(in: text, range, limits: limits)
    // With duplicate keys, the object has fewer members than were written.
    guard starts.count == rows.rows.count else { return [] }
    var counter = LineCounter(text)
    return try starts.map { try counter.line(at: $0) }
  }

  static func missingRows(
    at path: ObjectKeyPath, in text: any ByteStore, limits: ReadLimits, cancellation: Cancellation
  ) throws -> LoadedTable {
    var loaded = LoadedTable(
      table: ValueTable([]), report: LoadReport(format: "JSON", rows: 0))
    let missing = try MissingPath(path, in: text, limits: limits, cancellation: cancellation)
    loaded.report.notes = [missing.note]
    if missing.isAbsent { loaded.report.missingPath = missing.note }
    return loaded
  }

  static func operatorError(_ path: ObjectKeyPath) -> TableError {
    .badArgument(
      "`keyPath:` must consist of keys and indexes from 0, without operators: `\(path)`")
  }
}

extension ObjectKeyPath.Step {
  var isKeyOrIndex: Bool {
    switch self {
    case .key: true
    case .index(let index): index >= 0
    case .range, .collection: false
    }
  }
}

extension MissingPath {
  /// - Parameter text: JSON.
  /// - Complexity: O(bytes); only used after the path was not found.
  init(
    _ path: ObjectKeyPath, in text: any ByteStore, limits: ReadLimits, cancellation: Cancellation
  ) throws {
    let prefixes = path.steps.indices.map { ObjectKeyPath(Array(path.steps[..<$0])) }
    var locator = JSONLocator(text, paths: prefixes, limits: limits, cancellation: cancellation)
    try locator.locate()
    self.path = path
    for (count, range) in locator.ranges.enumerated().reversed() {
      guard let range, try !JSONFormat.isNull(range, in: text) else { continue }
      found = count
      keys = try JSONLocator.memberKeys(in: text, range, limits: limits, cancellation: cancellation)
      return
    }
  }
}
