import Synchronization

/// The rows of a JSON text.
///
/// Only the row index and the accessed columns are kept in memory; objects are read from the store
/// on access.
final class JSONTable: Table {
  let store: any ByteStore
  let layout: JSONLayout
  /// The part of the text with the rows; in an array, up to the closing bracket.
  let range: Range<Int>
  let index: JSONIndex
  let keys: [String]
  private let knownKeys: Set<String>
  /// Whether there are rows that are not records.
  let hasOtherRows: Bool
  /// Whether the rows are lines, no line is rejected, and no row has a duplicate key. If so,
  /// scanning a row may stop after the needed values.
  let hasPlainLines: Bool
  let limits: ReadLimits
  let window: Int
  let lineage: Lineage?
  private let readers = ReaderPool<JSONRowReader>()
  private let recent: RecentObjects
  private let columns = Mutex<[ObjectKeyPath: KeyColumn]>([:])
  /// Columns of the table that this one continues, with the number of rows for which they are valid.
  private let earlier: Mutex<[ObjectKeyPath: EarlierColumn]>
  /// Columns that were decoded before their first access.
  private let anticipated: Mutex<[ObjectKeyPath: [JSONColumnPart]]>

  init(
    store: any ByteStore, layout: JSONLayout, range: Range<Int>, index: JSONIndex, keys: [String],
    hasOtherRows: Bool, hasPlainLines: Bool, anticipated: [ObjectKeyPath: [JSONColumnPart]],
    limits: ReadLimits, window: Int, lineage: Lineage = Lineage(),
    continuing earlier: [ObjectKeyPath: EarlierColumn] = [:]
  ) {
    self.earlier = Mutex(earlier)
    self.lineage = lineage
    self.store = store
    self.layout = layout
    self.range = range
    self.index = index
    self.keys = keys
    knownKeys = Set(keys)
    self.hasOtherRows = hasOtherRows
    self.hasPlainLines = hasPlainLines
    self.anticipated = Mutex(anticipated)
    self.limits = limits
    self.window = window
    recent = RecentObjects(keys: keys.count)
  }

  var count: Int { index.count }

  func decodedColumn(_ path: ObjectKeyPath) -> KeyColumn? { columns.withLock { $0[path] } }

  func column(_ path: ObjectKeyPath, cancellation: Cancellation) throws -> KeyColumn {
    if let column = columns.withLock({ $0[path] }) { return column }
    // A table without objects knows every key.
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
    // The number of keys is unlimited, so that each is looked up in constant time.
    var seen: Set<ObjectKeyPath> = []
    let absent = try paths.map(base).filter { base in
      columns.withLock { $0[base] == nil } && seen.insert(base).inserted
    }
    let missing = try absent.filter { path in
      guard let earlier = earlier.withLock({ $0.removeValue(forKey: path) }),
        let column = try column(path, continuing: earlier, cancellation: cancellation)
      else { return true }
      columns.withLock { $0[path] = column }
      return false
    }
    guard !missing.isEmpty else { return }
    try MemoryLimit.check(beforeAllocatingRows: count, columns: missing.count)
    let decoder = JSONColumnDecoder(table: self, keys: missing.map(\.firstKey))
    let decoded = try decoder.decode(
      anticipated: try takeAnticipated(missing), cancellation: cancellation)
    columns.withLock { for (path, column) in zip(missing, decoded) { $0[path] = column } }
  }

  /// A column that is valid for the first rows of this table.
  struct EarlierColumn {
    let column: KeyColumn
    var rows: Int
  }

  /// The columns that are decoded, also those of the table that this one continues.
  var decodedColumns: [ObjectKeyPath: EarlierColumn] {
    let columns = columns.withLock { $0 }.filter { path, _ in (try? base(of: path)) == path }
    return earlier.withLock { earlier in
      earlier.merging(columns.mapValues { EarlierColumn(column: $0, rows: count) }) { $1 }
    }
  }

  /// Removes and returns anticipated columns; throws if the text has changed, as decoding them now
  /// would.
  private func takeAnticipated(_ bases: [ObjectKeyPath]) throws -> [[JSONColumnPart]?] {
    let parts = anticipated.withLock { parts in bases.map { parts.removeValue(forKey: $0) } }
    if parts.contains(where: { $0 != nil }) { try store.checkUnchanged() }
    return parts
  }

  func release(_ paths: [ObjectKeyPath]) {
    let bases = Set(paths.compactMap { try? base(of: $0) })
    anticipated.withLock { for base in bases { $0[base] = nil } }
    earlier.withLock { for base in bases { $0[base] = nil } }
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
      evidence: try tally.evidence(rows: count) { try line(of: $0) ?? 0 })
  }

  /// The prefix of a path that is decoded as a column: its first key, or the empty path for whole
  /// rows if some rows are not records.
  private func base(of path: ObjectKeyPath) throws -> ObjectKeyPath {
    if hasOtherRows { return ObjectKeyPath([]) }
    guard case .key(let key) = path.steps.first else {
      throw TableError.unknownKey(path.description, known: keys)
    }
    guard knownKeys.contains(key) else { throw TableError.unknownKey(key, known: keys) }
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

  /// The offset of the value of a key in each of some ascending rows; the offset of the row if it has
  /// no such key.
  func offsets(of rows: [Int], keys: [String]) throws -> [Int] {
    try withReader { reader in
      try zip(rows, keys).map { row, key in
        let found = try reader.read(row, of: self) { (offset: $0.offset, row: $0) }
        return reader.start(of: key, in: found.row).map { found.offset + $0 } ?? found.offset
      }
    }
  }

  /// The bytes of a row in the text.
  func range(of row: Int) throws -> Range<Int> {
    try withReader { reader in
      try reader.read(row, of: self) { $0.offset..<$0.offset + $0.bytes.count }
    }
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
      store, layout: layout, range: group.range, includesStart: false,
      includesEnd: false, keys: keys, window: window, limits: limits, cancellation: cancellation)
  }

  /// The next row that is not rejected.
  func row(from cursor: inout JSONCursor) throws -> JSONCursor.Row {
    while let row = try cursor.next() {
      if row.fault == nil { return row }
    }
    throw TableError.changed("the rows changed since they were loaded")
  }
}

extension ObjectKeyPath {
  fileprivate var firstKey: String? {
    guard case .key(let key) = steps.first else { return nil }
    return key
  }
}

/// Reads single rows of a JSON text; continues from the last row if possible.
///
/// Unchecked Sendable: a ``ReaderPool`` hands it to one thread at a time.
private final class JSONRowReader: @unchecked Sendable {
  /// Builds the objects of rows, which share their keys.
  var builder = JSONBuilder()
  private var keys = JSONKeys()
  /// The cursor in the group that was read last, before row `next`.
  private var cursor: JSONCursor?
  private var group = 0..<0
  private var next = 0
  /// Whether the store is known to be unchanged since the window was read.
  private var isChecked = false

  /// The keys are reset beyond this number, because rows may have any number of different keys.
  private static let maxKeys = 4_096

  /// Must be called before a series of reads: the bytes may have changed since the last series.
  func begin() {
    isChecked = false
    if keys.names.count > Self.maxKeys {
      keys = JSONKeys()
      cursor = nil
    }
  }

  /// Calls `body` with a row, which is valid until `body` returns.
  func read<Result>(
    _ row: Int, of table: JSONTable, _ body: (JSONCursor.Row) throws -> Result
  ) throws -> Result {
    var cursor = try cursor(before: row, of: table)
    isChecked = true
    var found = try table.row(from: &cursor)
    while next < row {
      found = try table.row(from: &cursor)
      next += 1
    }
    next += 1
    let result = try body(found)
    self.cursor = consume cursor
    return result
  }

  /// The position, in the row read last, of the value of a key; nil if it has no such key.
  func start(of key: String, in row: JSONCursor.Row) -> Int? {
    cursor?.scanner.position(of: key, in: row)
  }

  /// A cursor before row `next`, which is `row` or an earlier row of its group.
  private func cursor(before row: Int, of table: JSONTable) throws -> JSONCursor {
    if group.contains(row), row >= next, let kept = cursor.take() {
      if !isChecked { try table.store.checkUnchanged() }
      return kept
    }
    let place = table.index.group(of: row)
    group = place.rows
    next = group.lowerBound
    return table.cursor(over: place, keys: keys, cancellation: Cancellation())
  }
}
