import Synchronization

/// The rows of a JSON text.
///
/// Only where rows begin is kept in memory, and the columns that were touched; objects are read from
/// the store when they are looked at.
final class JSONTable: Table {
  let store: any ByteStore
  let layout: JSONLayout
  let index: JSONIndex
  let keys: [String]
  /// Whether there are rows that are not records.
  let hasOtherRows: Bool
  /// Whether every row is a line, is a line of its own, and has no key twice: then a row need not be
  /// read behind the values that are wanted.
  let hasPlainLines: Bool
  let limits: ReadLimits
  let window: Int
  private let readers = ReaderPool<JSONRowReader>()
  private let recent: RecentObjects
  private let columns = Mutex<[ObjectKeyPath: KeyColumn]>([:])
  /// What was decoded before it was asked for.
  private let anticipated: Mutex<[ObjectKeyPath: [JSONColumnPart]]>

  init(
    store: any ByteStore, layout: JSONLayout, index: JSONIndex, keys: [String],
    hasOtherRows: Bool, hasPlainLines: Bool, anticipated: [ObjectKeyPath: [JSONColumnPart]],
    limits: ReadLimits, window: Int
  ) {
    self.store = store
    self.layout = layout
    self.index = index
    self.keys = keys
    self.hasOtherRows = hasOtherRows
    self.hasPlainLines = hasPlainLines
    self.anticipated = Mutex(anticipated)
    self.limits = limits
    self.window = window
    recent = RecentObjects(keys: keys.count)
  }

  var count: Int { index.count }

  func column(_ path: ObjectKeyPath, cancellation: Cancellation) throws -> KeyColumn {
    if let column = columns.withLock({ $0[path] }) { return column }
    // Without objects, no key is unknown.
    if count == 0 { return .empty }
    let base = try base(of: path)
    try decode([path], cancellation: cancellation)
    guard let decoded = columns.withLock({ $0[base] }) else {
      throw TableError.io("column `\(path.description)` could not be decoded")
    }
    let column = try decoded.deriving(
      path.steps.dropFirst(base.steps.count), cancellation: cancellation)
    columns.withLock { $0[path] = column }
    return column
  }

  func decode(_ paths: [ObjectKeyPath], cancellation: Cancellation) throws {
    if count == 0 { return }
    var wanted: [ObjectKeyPath] = []
    for base in try paths.map(base) where !wanted.contains(base) {
      if columns.withLock({ $0[base] == nil }) { wanted.append(base) }
    }
    guard !wanted.isEmpty else { return }
    let decoder = JSONColumnDecoder(table: self, keys: wanted.map(\.firstKey))
    let decoded = try decoder.decode(
      anticipated: try takeAnticipated(wanted), cancellation: cancellation)
    columns.withLock { for (path, column) in zip(wanted, decoded) { $0[path] = column } }
  }

  /// Who asks for a column gets it only while the text is as it was, as if it were read now.
  private func takeAnticipated(_ bases: [ObjectKeyPath]) throws -> [[JSONColumnPart]?] {
    let parts = anticipated.withLock { parts in bases.map { parts.removeValue(forKey: $0) } }
    if parts.contains(where: { $0 != nil }) { try store.checkUnchanged() }
    return parts
  }

  func release(_ paths: [ObjectKeyPath]) {
    let bases = Set(paths.compactMap { try? base(of: $0) })
    anticipated.withLock { for base in bases { $0[base] = nil } }
    columns.withLock { columns in
      columns = columns.filter { path, _ in
        (try? base(of: path)).map { !bases.contains($0) } ?? true
      }
    }
  }

  func report(on key: String, cancellation: Cancellation) throws -> ColumnReport {
    let column = try column(ObjectKeyPath(key: key), cancellation: cancellation)
    guard case .coded(let codes, let values) = column else {
      return ColumnReport(key: key, type: column.type, isExact: true)
    }
    let kinds: [JSONTally.Kind?] =
      values.areStrings
      ? values.nulls().map { $0 ? nil : .string } : values.map { JSONTally.kind(of: $0) }
    var tally = JSONTally()
    for row in 0..<codes.count {
      if let kind = kinds[codes[row]] { tally.add(kind, at: row) }
    }
    return ColumnReport(
      key: key, type: tally.type, isExact: true,
      evidence: try tally.evidence { try line(of: $0) ?? 0 })
  }

  /// What of a path is decoded: its first key, or nothing of it where rows are not records, as
  /// those are taken whole.
  private func base(of path: ObjectKeyPath) throws -> ObjectKeyPath {
    if hasOtherRows { return ObjectKeyPath([]) }
    guard case .key(let key) = path.steps.first else {
      throw TableError.unknownKey(path.description, known: keys)
    }
    guard keys.contains(key) else { throw TableError.unknownKey(key, known: keys) }
    return ObjectKeyPath(key: key)
  }
}

// MARK: - Objects

extension JSONTable {
  func object(at row: Int) throws -> Value {
    if let object = recent.object(at: row, version: 0) {
      try store.checkUnchanged()
      return object
    }
    var size = 0
    let object = try withReader { reader in
      try reader.read(row, of: self) {
        size = $0.bytes.count
        return reader.builder.value($0.bytes)
      }
    }
    recent.keep(object, at: row, version: 0, bytes: size)
    return object
  }

  func objects(at rows: [Int]) throws -> [Value] {
    var objects = [Value](repeating: .null, count: rows.count)
    try withReader { reader in
      for place in rows.indicesInAscendingOrder {
        objects[place] = try reader.read(rows[place], of: self) { reader.builder.value($0.bytes) }
      }
    }
    return objects
  }

  func line(of row: Int) throws -> Int? {
    let offset = try withReader { try $0.read(row, of: self) { $0.offset } }
    return try TextPosition(of: offset, in: store).line
  }

  private func withReader<Result>(_ body: (JSONRowReader) throws -> Result) rethrows -> Result {
    try readers.withReader(make: { JSONRowReader() }) { reader in
      reader.begin()
      return try body(reader)
    }
  }

  func cursor(
    over group: JSONIndex.Group, keys: JSONKeys, cancellation: Cancellation
  ) -> JSONCursor {
    JSONCursor(
      store, layout: layout, range: group.range, opens: false, closes: false, keys: keys,
      window: window, limits: limits, cancellation: cancellation)
  }

  /// The next row that is not broken.
  func row(from cursor: inout JSONCursor) throws -> JSONCursor.Row {
    while let row = try cursor.next() {
      if row.fault == nil { return row }
    }
    throw TableError.changed("the rows are not where they were")
  }
}

extension ObjectKeyPath {
  fileprivate var firstKey: String? {
    guard case .key(let key) = steps.first else { return nil }
    return key
  }
}
