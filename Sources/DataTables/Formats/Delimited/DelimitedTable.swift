internal import CScan
import Synchronization

/// The rows of a delimited text as records with one key per column.
///
/// Only the row index and the accessed columns are kept in memory; objects are read from the store
/// on access.
final class DelimitedTable: Table {
  let store: any ByteStore
  let dialect: Dialect
  let shape: Record.Shape
  let index: RowIndex
  let options: ReadOptions
  private let reportsColumns: Bool
  let sizes: ScanSizes
  let cells: CellReader
  let readers = ReaderPool<RowReader>()
  let recent: RecentObjects
  private let state: Mutex<State>

  private struct State {
    /// Determined types for decoded columns; declared or estimated types for the other columns.
    var types: [ColumnType]
    /// The number of type changes.
    var version = 0
    var columns: [Int: KeyColumn] = [:]
    var derived: [ObjectKeyPath: KeyColumn] = [:]
    var changes: [TypeChange] = []
    /// Columns that were decoded before their first access, by position.
    var anticipated: [Int: ColumnTarget] = [:]
    /// The positions of anticipated columns with a cell that has no numeric key.
    var unkeyed: Set<Int> = []
  }

  /// - Parameter anticipated: columns that were decoded during the scan for rows.
  init(
    store: any ByteStore, dialect: Dialect, shape: Record.Shape, index: RowIndex,
    types: [ColumnType], options: ReadOptions, reportsColumns: Bool = true,
    anticipated: [ColumnTarget] = [], sizes: ScanSizes = ScanSizes()
  ) {
    self.store = store
    self.dialect = dialect
    self.shape = shape
    self.index = index
    self.options = options
    self.reportsColumns = reportsColumns
    self.sizes = sizes
    cells = CellReader(nulls: options.nulls, quoting: dialect.quoting)
    recent = RecentObjects(keys: shape.keys.count)
    var state = State(types: types)
    for target in anticipated {
      if target.didOverflow {
        state.unkeyed.insert(target.position)
      } else {
        state.anticipated[target.position] = target
      }
    }
    self.state = Mutex(state)
  }

  /// Whether all column types are determined at load; if not, later changes of type are reported.
  var determinesTypesAtLoad: Bool { reportsColumns && store.count <= sizes.exact }
  var count: Int { index.count }
  var keys: [String] { shape.keys }
  var hasUniformRows: Bool { true }
  var types: [ColumnType] { state.withLock { $0.types } }
  /// The types, and a version number that changes with them.
  var typing: (types: [ColumnType], version: Int) { state.withLock { ($0.types, $0.version) } }

  func column(_ path: ObjectKeyPath, cancellation: Cancellation) throws -> KeyColumn {
    // A table without objects knows every key.
    if count == 0 { return .empty }
    try decode([path], cancellation: cancellation)
    if let column = state.withLock({ $0.derived[path] }) { return column }
    let base = try position(of: path)
    guard let decoded = state.withLock({ $0.columns[base] }) else {
      throw TableError.io("column `\(shape.keys[base])` could not be decoded")
    }
    let column = try decoded.deriving(path.steps.dropFirst(), cancellation: cancellation)
    state.withLock { $0.derived[path] = column }
    return column
  }

  func decode(_ paths: [ObjectKeyPath], cancellation: Cancellation) throws {
    if count == 0 { return }
    let missing = Set(try paths.map(position)).subtracting(state.withLock { $0.columns.keys })
    guard !missing.isEmpty else { return }
    let decoder = ColumnDecoder(table: self, types: types, cells: cells)
    let decoded = try decoder.decode(
      missing.sorted(), anticipated: try takeAnticipated(missing),
      unkeyed: state.withLock { $0.unkeyed }, cancellation: cancellation)
    for column in decoded { try add(column) }
  }

  /// Removes and returns anticipated columns; throws if the text has changed, as decoding them now
  /// would.
  private func takeAnticipated(_ positions: Set<Int>) throws -> [Int: ColumnTarget] {
    let anticipated = state.withLock { state in
      let taken = state.anticipated.filter { positions.contains($0.key) }
      for position in taken.keys { state.anticipated[position] = nil }
      return taken
    }
    if !anticipated.isEmpty { try store.checkUnchanged() }
    return anticipated
  }

  func release(_ paths: [ObjectKeyPath]) {
    let positions = Set(paths.compactMap { try? position(of: $0) })
    state.withLock { state in
      for position in positions {
        state.columns[position] = nil
        state.anticipated[position] = nil
      }
      state.derived = state.derived.filter { path, _ in
        (try? position(of: path)).map { !positions.contains($0) } ?? true
      }
    }
  }

  private func add(_ decoded: ColumnDecoder.Decoded) throws {
    let key = keys[decoded.position]
    let estimated = types[decoded.position]
    let evidence =
      decoded.type == .string && estimated != .string
      ? try ColumnEvidence(table: self, column: decoded.column)?.summary() : nil
    state.withLock {
      $0.columns[decoded.position] = decoded.column
      if decoded.type != estimated { $0.version += 1 }
      $0.types[decoded.position] = decoded.type
      if decoded.type != estimated, !determinesTypesAtLoad {
        $0.changes.append(
          TypeChange(key: key, from: estimated, to: decoded.type, evidence: evidence))
      }
    }
  }

  var typeChanges: [TypeChange] { state.withLock { $0.changes } }

  func report(on key: String, cancellation: Cancellation) throws -> ColumnReport {
    let path = ObjectKeyPath(key: key)
    let column = try column(path, cancellation: cancellation)
    let type = state.withLock { $0.types[shape.position(of: key) ?? 0] }
    let evidence =
      type == .string && options.types[key] == nil
      ? try ColumnEvidence(table: self, column: column)?.summary() : nil
    return ColumnReport(key: key, type: type, isExact: true, evidence: evidence)
  }

  func line(of row: Int) throws -> Int? {
    var lines = LineCounter(store, dialect: dialect.kernel)
    return try lines.line(at: try offset(of: row))
  }

  /// The position of the column of the path's first key.
  private func position(of path: ObjectKeyPath) throws -> Int {
    guard case .key(let key) = path.steps.first else {
      throw TableError.unknownKey(path.description, known: keys)
    }
    guard let position = shape.position(of: key) else {
      throw TableError.unknownKey(key, known: keys)
    }
    return position
  }
}

extension DelimitedTable {
  func object(at row: Int) throws -> Value {
    let (types, version) = typing
    if let object = recent.object(at: row, version: version) {
      try store.checkUnchanged()
      return object
    }
    var size = 0
    let object = try withReader { reader in
      size = try reader.size(of: row)
      return try self.object(at: row, types, reader)
    }
    recent.keep(object, at: row, version: version, bytes: size)
    return object
  }

  func objects(at rows: [Int]) throws -> [Value] {
    let types = types
    var objects = [Value](repeating: .null, count: rows.count)
    try withReader { reader in
      for place in rows.indicesInAscendingOrder {
        objects[place] = try object(at: rows[place], types, reader)
      }
    }
    return objects
  }

  private func object(at row: Int, _ types: [ColumnType], _ reader: RowReader) throws -> Value {
    try reader.read(row) { fields, bytes in
      let values = [Value](unsafeUninitializedCapacity: fields.count) { values, count in
        for place in fields.indices {
          values.initializeElement(
            at: place, to: cells.value(of: fields[place], in: bytes, as: types[place]))
        }
        count = fields.count
      }
      return .record(Record(shape: shape, values: values))
    }
  }

  /// Reads rows with all their fields, in the order of the text.
  /// - Parameter body: receives the index of the row in `rows`, its fields, and the bytes that the
  ///   fields index into.
  func forEachRow(
    _ rows: [Int],
    _ body: (Int, UnsafeBufferPointer<ds_field>, UnsafePointer<UInt8>) throws -> Void
  ) throws {
    try withReader { reader in
      for place in rows.indicesInAscendingOrder {
        try reader.read(rows[place]) { try body(place, $0, $1) }
      }
    }
  }

  /// The offset of a row in the store.
  func offset(of row: Int) throws -> Int { try withReader { try $0.offset(of: row) } }

  private func withReader<Result>(_ body: (RowReader) throws -> Result) rethrows -> Result {
    try readers.withReader(make: { RowReader(self) }) { reader in
      reader.begin()
      return try body(reader)
    }
  }
}
