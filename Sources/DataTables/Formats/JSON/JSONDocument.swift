/// Reads a JSON text as a table: checks all of it, and notes where the rows are.
struct JSONDocument {
  let store: any ByteStore
  let layout: JSONLayout
  /// The part of the text that is read; more stands behind its end where ``isInner``.
  let range: Range<Int>
  /// Whether the rows are the elements of an array that begins the range and ends anywhere in it.
  var isInner = false
  /// The arrays and records around the range.
  var depth = 0
  let options: ReadOptions
  let cancellation: Cancellation
  /// Bytes a worker reads at a time.
  var window = Self.window
  /// Bytes below which a text is not worth being shared between workers.
  var leastPiece = 4 << 20
  /// Bytes up to which columns are settled at load.
  var exactSize = Self.exactSize

  static let window = 256 << 10
  /// Columns of texts up to this size are settled at load; of larger ones a sample is looked at.
  static let exactSize = 1 << 20
  static let sampleSize = 256 << 10
  /// Records with more keys than this are mostly tables that were written as one record.
  static let mostExactKeys = 500

  init(
    _ store: any ByteStore, layout: JSONLayout, range: Range<Int>? = nil, options: ReadOptions,
    cancellation: Cancellation
  ) {
    self.store = store
    self.layout = layout
    self.range = range ?? 0..<store.count
    self.options = options
    self.cancellation = cancellation
  }

  func load() throws -> LoadedTable { try loadToEnd().loaded }

  /// The rows, and the offset where they end, which in an array is that of its bracket.
  func loadToEnd() throws -> (loaded: LoadedTable, end: Int) {
    let pieces = try pieces()
    let keys = keys(of: pieces)
    let table = JSONTable(
      store: store, layout: layout, index: JSONIndex(pieces), keys: keys,
      hasOtherRows: pieces.contains { $0.otherRows > 0 },
      hasPlainLines: layout == .lines
        && pieces.allSatisfy { $0.rejected == 0 && $0.repeating == 0 },
      anticipated: anticipated(keys, of: pieces), limits: options.limits, window: window)
    let loaded = LoadedTable(table: table, report: try report(on: table, pieces))
    return (loaded, pieces.last?.end ?? range.upperBound)
  }

  private func pieces() throws -> [JSONPiece] {
    let ranges = try ranges()
    do {
      return try read(ranges)
    } catch TableError.cancelled {
      throw TableError.cancelled
    } catch  where layout == .elements && ranges.count > 1 {
      // A border was guessed wrongly, or the text is broken: as one piece it is told where.
      return try read([range])
    }
  }

  private func read(_ ranges: [Range<Int>]) throws -> [JSONPiece] {
    let found = WorkerSlots<JSONPiece>(ranges.count)
    try Parallel.forEach(ranges.count) { piece, _ in
      found[piece] = try read(ranges[piece])
    }
    return ranges.indices.compactMap { found[$0] }
  }

  /// Stretches of whole rows, about as many as there are workers.
  private func ranges() throws -> [Range<Int>] {
    let workers = min(Parallel.workers, range.count / max(1, leastPiece))
    guard workers > 1, let border = try border() else { return [range] }
    var starts = [range.lowerBound]
    for worker in 1..<workers {
      let wanted = max(
        starts[starts.count - 1] + 1, range.lowerBound + range.count / workers * worker)
      let sample = try store.bytes(wanted..<max(wanted, min(range.upperBound, wanted + (1 << 20))))
      if let start = border.rowStart(in: sample) { starts.append(wanted + start) }
    }
    return zip(starts, starts.dropFirst() + [range.upperBound]).map { $0..<$1 }
  }

  private func border() throws -> JSONBorder? {
    switch layout {
    // A line feed never stands inside of a value on one line.
    case .lines: .lineFeed
    case .elements:
      JSONBorder(
        elements: try store.bytes(
          range.lowerBound..<min(range.upperBound, range.lowerBound + Self.sampleSize)))
    case .single: nil
    }
  }

  private func read(_ range: Range<Int>) throws -> JSONPiece {
    let keys = JSONKeys()
    var cursor = JSONCursor(
      store, layout: layout, range: range, opens: range.lowerBound == self.range.lowerBound,
      closes: range.upperBound == self.range.upperBound, keys: keys, window: window,
      limits: options.limits, cancellation: cancellation, isInner: isInner, depth: depth)
    let sampleEnd = options.reportsColumns ? self.range.lowerBound + Self.sampleSize : 0
    var piece = JSONPiece()
    var anticipated = JSONMemberColumns(of: anticipatedKeys)
    while let row = try cursor.next() {
      if let fault = row.fault {
        try piece.reject(row, fault, in: store, isStrict: options.isStrict)
        continue
      }
      let scanner = cursor.scanner
      if piece.count % JSONIndex.spacing == 0 { piece.anchors.append(row.offset) }
      let isRecord = row.bytes[0] == UInt8(ascii: "{")
      if isRecord { piece.noteRepeatedKeys(scanner, row.offset) }
      if isRecord { piece.noteKeys(scanner) } else { piece.noteOther(row.offset) }
      if isRecord, row.offset < sampleEnd { piece.sample(row, scanner) }
      if scanner.loneSurrogates > 0 { piece.noteLone(scanner.loneSurrogates, row.offset) }
      if isRecord { anticipated.take(row, scanner) }
      piece.count += 1
    }
    piece.finish(keys.names)
    piece.anticipated = anticipated
    piece.end = cursor.rowsEnd
    piece.lines = cursor.line - 1
    return piece
  }

  /// Columns of small texts are settled in a pass of their own, which costs little.
  private var anticipatedKeys: [String] {
    range.count > exactSize ? options.anticipatedKeys : []
  }

  /// Of the keys that some record has.
  private func anticipated(
    _ known: [String], of pieces: [JSONPiece]
  ) -> [ObjectKeyPath: [JSONColumnPart]] {
    guard !pieces.contains(where: { $0.otherRows > 0 }) else { return [:] }
    var parts: [ObjectKeyPath: [JSONColumnPart]] = [:]
    for (place, key) in anticipatedKeys.enumerated() where known.contains(key) {
      parts[ObjectKeyPath(key: key)] = pieces.compactMap { $0.anticipated?.parts[place] }
    }
    return parts
  }

  private func keys(of pieces: [JSONPiece]) -> [String] {
    var keys: [String] = []
    var known: Set<String> = []
    for key in pieces.lazy.flatMap(\.keys) where known.insert(key).inserted { keys.append(key) }
    return keys
  }
}
