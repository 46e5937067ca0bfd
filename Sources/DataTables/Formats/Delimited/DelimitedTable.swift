internal import CScan
import Synchronization

/// The rows of a delimited text: records with one key a column.
///
/// Only where rows begin is kept in memory, and the columns that were touched; objects are read from
/// the store when they are looked at.
final class DelimitedTable: Table {
  let store: any ByteStore
  let dialect: Dialect
  let shape: Record.Shape
  let index: RowIndex
  let options: ReadOptions
  /// Whether its columns were settled as it was loaded; else one that turns out otherwise is told.
  var settlesColumns: Bool {
    options.reportsColumns && store.count <= sizes.exact
  }
  let sizes: ScanSizes
  let cells: CellReader
  let readers = ReaderPool<RowReader>()
  let recent: RecentObjects
  private let state: Mutex<State>

  private struct State {
    /// As declared or inferred; settled for columns that are decoded.
    var types: [ColumnType]
    /// How often a type was changed.
    var version = 0
    var columns: [Int: KeyColumn] = [:]
    var derived: [ObjectKeyPath: KeyColumn] = [:]
    var changes: [TypeChange] = []
    /// By position, columns that were decoded before anybody asked for them.
    var anticipated: [Int: ColumnTarget] = [:]
    /// Columns of which some cell has no key, as was found when they were anticipated.
    var unkeyed: Set<Int> = []
  }

  /// - Parameter anticipated: columns that were decoded as the rows were looked for.
  init(
    store: any ByteStore, dialect: Dialect, shape: Record.Shape, index: RowIndex,
    types: [ColumnType], options: ReadOptions, anticipated: [ColumnTarget] = [],
    sizes: ScanSizes = ScanSizes()
  ) {
    self.store = store
    self.dialect = dialect
    self.shape = shape
    self.index = index
    self.options = options
    self.sizes = sizes
    cells = CellReader(nulls: options.nulls)
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

  var count: Int { index.count }
  var keys: [String] { shape.keys }
  var hasUniformRows: Bool { true }
  var types: [ColumnType] { state.withLock { $0.types } }
  /// The types, and a number that is another whenever they are others.
  var typing: (types: [ColumnType], version: Int) { state.withLock { ($0.types, $0.version) } }

  func column(_ path: ObjectKeyPath, cancellation: Cancellation) throws -> KeyColumn {
    // Without objects, no key is unknown.
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
    let wanted = Set(try paths.map(position)).subtracting(state.withLock { $0.columns.keys })
    guard !wanted.isEmpty else { return }
    let decoder = ColumnDecoder(table: self, types: types, cells: cells)
    let decoded = try decoder.decode(
      wanted.sorted(), anticipated: try takeAnticipated(wanted),
      unkeyed: state.withLock { $0.unkeyed }, cancellation: cancellation)
    for column in decoded { try settle(column) }
  }

  /// Who asks for a column gets it only while the text is as it was, as if it were read now.
  private func takeAnticipated(_ positions: Set<Int>) throws -> [Int: ColumnTarget] {
    let anticipated = state.withLock { state in
      let wanted = state.anticipated.filter { positions.contains($0.key) }
      for position in wanted.keys { state.anticipated[position] = nil }
      return wanted
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

  private func settle(_ decoded: ColumnDecoder.Decoded) throws {
    let key = keys[decoded.position]
    let seemed = types[decoded.position]
    let evidence =
      decoded.type == .string && seemed != .string
      ? try ColumnEvidence(table: self, column: decoded.column)?.summary() : nil
    state.withLock {
      $0.columns[decoded.position] = decoded.column
      if decoded.type != seemed { $0.version += 1 }
      $0.types[decoded.position] = decoded.type
      if decoded.type != seemed, !settlesColumns {
        $0.changes.append(
          TypeChange(key: key, from: seemed, to: decoded.type, evidence: evidence))
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
    var lines = LineCounter(store, terminator: dialect.terminator)
    return try lines.line(at: try offset(of: row))
  }

  /// The place of the column that a path begins with.
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
