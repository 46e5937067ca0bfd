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
  private let columns = Mutex<[ObjectKeyPath: KeyColumn]>([:])

  init(
    store: any ByteStore, layout: JSONLayout, index: JSONIndex, keys: [String],
    hasOtherRows: Bool, hasPlainLines: Bool, limits: ReadLimits, window: Int
  ) {
    self.store = store
    self.layout = layout
    self.index = index
    self.keys = keys
    self.hasOtherRows = hasOtherRows
    self.hasPlainLines = hasPlainLines
    self.limits = limits
    self.window = window
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
    let known = columns.withLock { Set($0.keys) }
    var wanted: [ObjectKeyPath] = []
    for base in try paths.map(base) where !known.contains(base) && !wanted.contains(base) {
      wanted.append(base)
    }
    guard !wanted.isEmpty else { return }
    let decoder = JSONColumnDecoder(table: self, keys: wanted.map(\.steps.first))
    let decoded = try decoder.decode(cancellation: cancellation)
    columns.withLock { for (path, column) in zip(wanted, decoded) { $0[path] = column } }
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
  func objects(at rows: [Int]) throws -> [Value] {
    var objects = [Value](repeating: .null, count: rows.count)
    var builder = JSONBuilder()
    try forEachRow(rows) { place, row in objects[place] = builder.value(row.bytes) }
    return objects
  }

  func line(of row: Int) throws -> Int? {
    var offset = 0
    try forEachRow([row]) { _, row in offset = row.offset }
    return try TextPosition(of: offset, in: store).line
  }

  /// Reads rows, neighbours together.
  /// - Parameter body: gets the place of the row in `rows`.
  private func forEachRow(
    _ rows: [Int], _ body: (Int, JSONCursor.Row) throws -> Void
  ) throws {
    let places = rows.indices.sorted { rows[$0] < rows[$1] }
    let keys = JSONKeys()
    var next = 0
    while next < places.count {
      let group = index.group(of: rows[places[next]])
      var cursor = cursor(over: group, keys: keys, cancellation: Cancellation())
      for number in group.rows {
        let row = try row(from: &cursor)
        while next < places.count, rows[places[next]] == number {
          try body(places[next], row)
          next += 1
        }
        if next == places.count || rows[places[next]] >= group.rows.upperBound { break }
      }
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
