/// Reads a JSON text as a table: validates all of it and records the positions of the rows.
struct JSONDocument {
  let store: any ByteStore
  let layout: JSONLayout
  /// The part of the text to read.
  let range: Range<Int>
  /// Whether the rows are the elements of an array that starts where the range starts, but may end
  /// before the range ends.
  var isInner = false
  /// The number of arrays and objects around the range.
  var depth = 0
  let request: ReadRequest
  let cancellation: Cancellation
  /// The bytes that a worker reads at a time.
  var window = Self.window
  /// The minimum size of a chunk; smaller texts are not split between workers.
  var minChunkSize = 4 << 20
  /// The types of the columns of texts up to this size are determined at load.
  var exactSize = Self.exactSize

  static let window = 256 << 10
  /// The types of the columns of larger texts are estimated from a sample.
  static let exactSize = 1 << 20
  static let sampleSize = 256 << 10
  /// With more keys than this, types are estimated even in a small text: objects with so many keys
  /// are usually tables that were written as one object.
  static let maxExactKeys = 500

  init(
    _ store: any ByteStore, layout: JSONLayout, range: Range<Int>? = nil, request: ReadRequest,
    cancellation: Cancellation
  ) {
    self.store = store
    self.layout = layout
    self.range = range ?? 0..<store.count
    self.request = request
    self.cancellation = cancellation
  }

  func load() throws -> LoadedTable { try loadToEnd().loaded }

  /// The rows and the offset of their end: in an array, the offset of the closing bracket.
  func loadToEnd() throws -> (loaded: LoadedTable, end: Int) {
    let chunks = try chunks()
    let keys = keys(of: chunks)
    let end = chunks.last?.end ?? range.upperBound
    let table = JSONTable(
      store: store, layout: layout, range: range.lowerBound..<end, index: JSONIndex(chunks),
      keys: keys,
      hasOtherRows: chunks.contains { $0.otherRows > 0 },
      hasPlainLines: layout == .lines
        && chunks.allSatisfy { $0.rejected == 0 && $0.repeating == 0 },
      anticipated: anticipated(keys, of: chunks), limits: request.options.limits, window: window)
    let loaded = try LoadedTable(table: table, report: try report(on: table, chunks))
      .requesting(request, of: table, cancellation: cancellation)
    return (loaded, end)
  }

  private func chunks() throws -> [JSONChunk] {
    let ranges = try ranges()
    do {
      return try read(ranges)
    } catch TableError.cancelled {
      throw TableError.cancelled
    } catch  where layout == .elements && ranges.count > 1 {
      // Either a boundary was guessed wrongly or the text is malformed. Reading the text as one
      // chunk decides which, and finds the position of the error.
      return try read([range])
    }
  }

  private func read(_ ranges: [Range<Int>]) throws -> [JSONChunk] {
    let found = WorkerSlots<JSONChunk>(ranges.count)
    try Parallel.forEach(ranges.count) { number, _ in
      found[number] = try read(ranges[number])
    }
    return ranges.indices.compactMap { found[$0] }
  }

  /// Ranges of complete rows, about one per worker.
  private func ranges() throws -> [Range<Int>] {
    let workers = min(Parallel.workers, range.count / max(1, minChunkSize))
    guard workers > 1, let boundary = try boundary() else { return [range] }
    var starts = [range.lowerBound]
    for worker in 1..<workers {
      let target = max(
        starts[starts.count - 1] + 1, range.lowerBound + range.count / workers * worker)
      let sample = try store.bytes(target..<max(target, min(range.upperBound, target + (1 << 20))))
      if let start = boundary.rowStart(in: sample) { starts.append(target + start) }
    }
    return zip(starts, starts.dropFirst() + [range.upperBound]).map { $0..<$1 }
  }

  private func boundary() throws -> JSONBoundary? {
    switch layout {
    // In this layout, a value does not contain a line feed.
    case .lines: .lineFeed
    case .elements:
      JSONBoundary(
        elements: try store.bytes(
          range.lowerBound..<min(range.upperBound, range.lowerBound + Self.sampleSize)))
    case .single, .sequence: nil
    }
  }

  private func read(_ range: Range<Int>) throws -> JSONChunk {
    let keys = JSONKeys()
    var cursor = JSONCursor(
      store, layout: layout, range: range, includesStart: range.lowerBound == self.range.lowerBound,
      includesEnd: range.upperBound == self.range.upperBound, keys: keys, window: window,
      limits: request.options.limits, cancellation: cancellation, isInner: isInner, depth: depth)
    let sampleEnd = request.reportsColumns ? self.range.lowerBound + Self.sampleSize : 0
    var chunk = JSONChunk()
    var anticipated = JSONMemberColumns(of: anticipatedKeys)
    while let row = try cursor.next() {
      if let fault = row.fault {
        try chunk.reject(row, fault, in: store, isStrict: request.options.isStrict)
        continue
      }
      let scanner = cursor.scanner
      if chunk.count % JSONIndex.spacing == 0 { chunk.anchors.append(row.offset) }
      if row.bytes[0] == UInt8(ascii: "{") {
        chunk.noteRepeatedKeys(scanner, row.offset)
        chunk.noteKeys(scanner)
        if row.offset < sampleEnd { chunk.sample(row, scanner) }
        anticipated.append(row, scanner)
      } else {
        chunk.noteOther(row.offset)
      }
      if scanner.loneSurrogates > 0 { chunk.noteLoneSurrogates(scanner.loneSurrogates, row.offset) }
      chunk.count += 1
    }
    chunk.finish(keys.names)
    chunk.anticipated = anticipated
    chunk.end = cursor.rowsEnd
    chunk.lines = cursor.line - 1
    return chunk
  }

  /// The keys whose columns are decoded during the load. Empty for small texts, for which a
  /// separate pass is cheap.
  private var anticipatedKeys: [String] {
    range.count > exactSize ? request.anticipatedKeys : []
  }

  /// The anticipated columns of the keys that occur in the text.
  private func anticipated(
    _ known: [String], of chunks: [JSONChunk]
  ) -> [ObjectKeyPath: [JSONColumnPart]] {
    guard !chunks.contains(where: { $0.otherRows > 0 }) else { return [:] }
    var parts: [ObjectKeyPath: [JSONColumnPart]] = [:]
    for (place, key) in anticipatedKeys.enumerated() where known.contains(key) {
      parts[ObjectKeyPath(key: key)] = chunks.compactMap { $0.anticipated?.parts[place] }
    }
    return parts
  }

  private func keys(of chunks: [JSONChunk]) -> [String] {
    var keys: [String] = []
    var known: Set<String> = []
    for key in chunks.lazy.flatMap(\.keys) where known.insert(key).inserted { keys.append(key) }
    return keys
  }
}

extension JSONDocument {
  func report(on table: JSONTable, _ chunks: [JSONChunk]) throws -> LoadReport {
    var report = LoadReport(
      format: layout.name, rows: table.count,
      columns: try columns(of: table, chunks))
    var linesBefore = 0
    for chunk in chunks {
      report.rejected += chunk.rejected
      let room = LoadReport.maxRejects - report.rejects.count
      for var reject in chunk.rejects.prefix(room) {
        reject.line += linesBefore
        report.rejects.append(reject)
      }
      linesBefore += chunk.lines
    }
    report.notes = try notes(on: table, chunks)
    report.rowsAreWhole = layout != .single
    return report
  }

  private func columns(of table: JSONTable, _ chunks: [JSONChunk]) throws -> [ColumnReport] {
    guard request.reportsColumns else { return [] }
    let size = (chunks.last?.end ?? range.upperBound) - range.lowerBound
    let isSmall = size <= exactSize && table.keys.count <= Self.maxExactKeys
    if isSmall, !table.hasOtherRows {
      try table.decode(table.keys.map { ObjectKeyPath(key: $0) }, cancellation: cancellation)
      return try table.keys.map { try table.report(on: $0, cancellation: cancellation) }
    }
    // The sample is in the first chunk, whose keys come first.
    let tallies = chunks.first?.tallies ?? []
    return try table.keys.enumerated().map { place, key in
      let tally = place < tallies.count ? tallies[place] : JSONTally()
      return ColumnReport(
        key: key, type: tally.type, isExact: false,
        evidence: try tally.evidence(rows: nil) { try TextPosition(of: $0, in: store).line })
    }
  }

  private func notes(on table: JSONTable, _ chunks: [JSONChunk]) throws -> [String] {
    var notes: [String] = []
    let others = chunks.reduce(0) { $0 + $1.otherRows }
    if others > 0, others < table.count, let first = chunks.lazy.compactMap(\.firstOther).first {
      let line = try TextPosition(of: first, in: store).line
      let subject = others == 1 ? "1 row is not a record" : "\(others.grouped) rows are not records"
      notes.append("\(subject), first at line \(line)")
    }
    let repeating = chunks.reduce(0) { $0 + $1.repeating }
    if repeating > 0, let first = chunks.lazy.compactMap(\.firstRepeating).first {
      let line = try TextPosition(of: first, in: store).line
      notes += CountedFinding(.duplicateKeys, count: repeating, firstLine: line).notes
    }
    let lone = chunks.reduce(0) { $0 + $1.loneSurrogates }
    if lone > 0, let first = chunks.lazy.compactMap(\.firstLoneSurrogate).first {
      let line = try TextPosition(of: first, in: store).line
      notes += CountedFinding(.loneSurrogates, count: lone, firstLine: line).notes
    }
    return notes
  }
}
