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
  let lineage: Lineage?
  private let state: Mutex<State>

  private struct State {
    /// Determined forms for decoded columns; requested or estimated forms for the other columns.
    var forms: [CellForm]
    /// The number of changes of forms.
    var version = 0
    var columns: [Int: KeyColumn] = [:]
    var derived: [ObjectKeyPath: KeyColumn] = [:]
    var changes: [TypeChange] = []
    /// Columns that were decoded before their first access, by position.
    var anticipated: [Int: ColumnTarget] = [:]
    /// The positions of anticipated columns with a cell that has no numeric key.
    var unkeyed: Set<Int> = []
    /// The decoded columns of the table that this one continues, until they are continued.
    var earlier: [Int: EarlierColumn] = [:]
  }

  /// A column that is valid for the first rows of this table.
  struct EarlierColumn {
    let column: KeyColumn
    var rows: Int
  }

  /// - Parameter anticipated: columns that were decoded during the scan for rows.
  init(
    store: any ByteStore, dialect: Dialect, shape: Record.Shape, index: RowIndex,
    forms: [CellForm], options: ReadOptions, reportsColumns: Bool = true,
    anticipated: [ColumnTarget] = [], sizes: ScanSizes = ScanSizes(), lineage: Lineage = Lineage(),
    continuing earlier: [Int: EarlierColumn] = [:]
  ) {
    self.lineage = lineage
    self.store = store
    self.dialect = dialect
    self.shape = shape
    self.index = index
    self.options = options
    self.reportsColumns = reportsColumns
    self.sizes = sizes
    cells = CellReader(options, quoting: dialect.quoting)
    recent = RecentObjects(keys: shape.keys.count)
    var state = State(forms: forms, earlier: earlier)
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
  var forms: [CellForm] { state.withLock { $0.forms } }
  /// The forms, and a version number that changes with them.
  var typing: (forms: [CellForm], version: Int) { state.withLock { ($0.forms, $0.version) } }

  /// Changes the forms of columns that are not decoded yet.
  func adopt(_ forms: [Int: CellForm]) {
    state.withLock { state in
      for (position, form) in forms where state.forms[position] != form {
        state.forms[position] = form
        state.anticipated[position] = nil
        state.unkeyed.remove(position)
      }
    }
  }

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

  func decodedColumn(_ path: ObjectKeyPath) -> KeyColumn? {
    guard count > 0, let position = try? position(of: path) else { return nil }
    return state.withLock { path.steps.count == 1 ? $0.columns[position] : $0.derived[path] }
  }

  func decode(_ paths: [ObjectKeyPath], cancellation: Cancellation) throws {
    if count == 0 { return }
    let positions = Set(try paths.map(position))
    var missing = state.withLock { state in positions.filter { state.columns[$0] == nil } }
    for (position, earlier) in takeEarlier(missing) {
      guard
        let column = try column(position, continuing: earlier, cancellation: cancellation)
      else { continue }
      state.withLock { $0.columns[position] = column }
      missing.remove(position)
    }
    guard !missing.isEmpty else { return }
    try MemoryLimit.check(beforeAllocatingRows: count, columns: missing.count)
    let decoder = ColumnDecoder(table: self, forms: forms, cells: cells)
    let decoded = try decoder.decode(
      missing.sorted(), anticipated: try takeAnticipated(missing),
      unkeyed: state.withLock { $0.unkeyed }, cancellation: cancellation)
    for column in decoded { try add(column) }
  }

  /// The columns that are decoded, also those of the table that this one continues, by position.
  var decodedColumns: [Int: EarlierColumn] {
    state.withLock { state in
      state.earlier.merging(
        state.columns.mapValues { EarlierColumn(column: $0, rows: count) }
      ) { $1 }
    }
  }

  /// Removes and returns columns of the table that this one continues.
  private func takeEarlier(_ positions: Set<Int>) -> [Int: EarlierColumn] {
    state.withLock { state in
      let taken = state.earlier.filter { positions.contains($0.key) }
      for position in taken.keys { state.earlier[position] = nil }
      return taken
    }
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
        state.earlier[position] = nil
      }
      state.derived = state.derived.filter { path, _ in
        (try? position(of: path)).map { !positions.contains($0) } ?? true
      }
    }
  }

  private func add(_ decoded: ColumnDecoder.Decoded) throws {
    let key = keys[decoded.position]
    let estimated = state.withLock { $0.forms[decoded.position] }
    let type = decoded.form.type
    let evidence =
      type == .string && estimated.type != .string
      ? try ColumnEvidence(table: self, key: key, column: decoded.column)?.summary()?.text : nil
    state.withLock {
      $0.columns[decoded.position] = decoded.column
      if decoded.form != estimated { $0.version += 1 }
      $0.forms[decoded.position] = decoded.form
      if type != estimated.type, !determinesTypesAtLoad {
        $0.changes.append(
          TypeChange(key: key, from: estimated.type, to: type, evidence: evidence))
      }
    }
  }

  var typeChanges: [TypeChange] { state.withLock { $0.changes } }

  func report(on key: String, cancellation: Cancellation) throws -> ColumnReport {
    let path = ObjectKeyPath(key: key)
    let column = try column(path, cancellation: cancellation)
    let type = state.withLock { $0.forms[shape.position(of: key) ?? 0].type }
    var report = ColumnReport(key: key, type: type, isExact: true)
    guard options.types[key] == nil else { return report }
    if type == .real { report.hint = try notANumberHint(key, column) }
    guard let evidence = ColumnEvidence(table: self, key: key, column: column) else {
      return report
    }
    let summary = type == .string ? try evidence.summary() : nil
    report.evidence = summary?.text
    if summary == nil, let hint = evidence.hint { report.hint = hint }
    report.suggestion = evidence.suggestion ?? summary?.suggestion
    return report
  }

  /// `3 values are NaN; add `nulls: NaN` to read them as null`; nil if no value is NaN.
  private func notANumberHint(_ key: String, _ column: KeyColumn) throws -> String? {
    let (rows, first) = column.notANumber
    guard let first, case .record(let record) = try object(at: first),
      case .real(let real)? = record[key]
    else { return nil }
    let labels = SuggestedLabels("nulls", real.text)
    return rows == 1
      ? "1 value is NaN; add \(labels) to read it as null"
      : "\(rows.grouped) values are NaN; add \(labels) to read them as null"
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
    let (forms, version) = typing
    if let object = recent.object(at: row, version: version) {
      try store.checkUnchanged()
      return object
    }
    var size = 0
    let object = try withReader { reader in
      size = try reader.size(of: row)
      return try self.object(at: row, forms, reader)
    }
    recent.keep(object, at: row, version: version, bytes: size)
    return object
  }

  func objects(at rows: [Int]) throws -> [Value] {
    let forms = forms
    var objects = [Value](repeating: .null, count: rows.count)
    try withReader { reader in
      for place in rows.indicesInAscendingOrder {
        objects[place] = try object(at: rows[place], forms, reader)
      }
    }
    return objects
  }

  private func object(at row: Int, _ forms: [CellForm], _ reader: RowReader) throws -> Value {
    try reader.read(row) { fields, bytes in
      let values = [Value](unsafeUninitializedCapacity: fields.count) { values, count in
        for place in fields.indices {
          values.initializeElement(
            at: place, to: cells.value(of: fields[place], in: bytes, as: forms[place]))
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

  /// Reads rows as they are written.
  /// - Parameter body: calls its argument with a row, and receives the bytes of the row with its line
  ///   end, which are valid until the next call.
  func withRowBytes(
    _ body: ((Int, (UnsafeRawBufferPointer) -> Void) throws -> Void) throws -> Void
  ) throws {
    try withReader { reader in
      try body { row, receive in receive(try reader.bytes(of: row)) }
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
