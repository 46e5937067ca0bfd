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
  let sizes: ScanSizes
  let cells: CellReader
  private let state: Mutex<State>

  private struct State {
    /// As declared or inferred; settled for columns that are decoded.
    var types: [ColumnType]
    var columns: [Int: KeyColumn] = [:]
    var derived: [ObjectKeyPath: KeyColumn] = [:]
    var changes: [TypeChange] = []
  }

  init(
    store: any ByteStore, dialect: Dialect, shape: Record.Shape, index: RowIndex,
    types: [ColumnType], options: ReadOptions, sizes: ScanSizes = ScanSizes()
  ) {
    self.store = store
    self.dialect = dialect
    self.shape = shape
    self.index = index
    self.options = options
    self.sizes = sizes
    cells = CellReader(nulls: Set(options.nulls.map { Array($0.utf8) }))
    state = Mutex(State(types: types))
  }

  var count: Int { index.count }
  var keys: [String] { shape.keys }
  var types: [ColumnType] { state.withLock { $0.types } }

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
    let decoded = try decoder.decode(wanted.sorted(), cancellation: cancellation)
    for column in decoded { try settle(column) }
  }

  private func settle(_ decoded: ColumnDecoder.Decoded) throws {
    let key = keys[decoded.position]
    let seemed = types[decoded.position]
    let evidence =
      decoded.type == .string && seemed != .string
      ? try ColumnEvidence(table: self, column: decoded.column)?.summary() : nil
    state.withLock {
      $0.columns[decoded.position] = decoded.column
      $0.types[decoded.position] = decoded.type
      if decoded.type != seemed, store.count > DelimitedReader.exactSize {
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
    guard let offset = try offset(of: row) else { return nil }
    var lines = LineCounter(store, terminator: dialect.terminator)
    return try lines.line(at: offset)
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

// MARK: Objects

extension DelimitedTable {
  func objects(at rows: [Int]) throws -> [Value] {
    let types = types
    var objects = [Value](repeating: .null, count: rows.count)
    try forEachRow(rows) { place, fields, bytes in
      let values = fields.indices.map { cells.value(of: fields[$0], in: bytes, as: types[$0]) }
      objects[place] = .record(Record(shape: shape, values: values))
    }
    return objects
  }

  /// Reads rows with all their fields, neighbours together.
  /// - Parameter body: gets the place of the row in `rows`.
  func forEachRow(
    _ rows: [Int],
    _ body: (Int, UnsafeBufferPointer<ds_field>, UnsafePointer<UInt8>) throws -> Void
  ) throws {
    let scanner = RowScanner(
      store, dialect: dialect, columns: keys.count, limits: options.limits, windowSize: 4096,
      batch: 256)
    let wanted = keys.indices.map { UInt32($0) }
    var fields = [ds_field](repeating: ds_field(), count: keys.count)
    let places = rows.indices.sorted { rows[$0] < rows[$1] }
    var next = 0
    while next < places.count {
      let group = index.group(of: rows[places[next]])
      scanner.start(group.range)
      var row = group.firstRow
      while let batch = try scanner.next() {
        while next < places.count, rows[places[next]] < row + batch.count {
          var found = batch[rows[places[next]] - row]
          kernels.csv_fields(
            scanner.bytes, dialect.delimiter, dialect.terminator, &found, 1, wanted, wanted.count,
            &fields)
          try fields.withUnsafeBufferPointer { try body(places[next], $0, scanner.bytes) }
          next += 1
        }
        row += batch.count
      }
      // A row that is not where it was means other bytes; the store mostly tells before.
      if next < places.count, rows[places[next]] < group.firstRow + group.count {
        throw TableError.changed("row \(rows[places[next]]) is not where it was")
      }
    }
  }

  private var kernels: ds_kernels { ds_kernels_best().pointee }

  private func offset(of row: Int) throws -> Int? {
    let group = index.group(of: row)
    let scanner = RowScanner(
      store, dialect: dialect, columns: keys.count, limits: options.limits, windowSize: 4096,
      batch: 256)
    scanner.start(group.range)
    var first = group.firstRow
    while let batch = try scanner.next() {
      if row < first + batch.count { return scanner.storeOffset(batch[row - first].start) }
      first += batch.count
    }
    return nil
  }
}

extension RowIndex {
  /// The neighbours that are found from one anchor.
  func group(of row: Int) -> (range: Range<Int>, firstRow: Int, count: Int) {
    let stretch = stretch(of: row)
    let anchor = (row - stretch.firstRow) / Self.spacing
    let start = stretch.range.lowerBound + Int(stretch.anchors[anchor])
    let end =
      anchor + 1 < stretch.anchors.count
      ? stretch.range.lowerBound + Int(stretch.anchors[anchor + 1]) : stretch.range.upperBound
    let firstRow = stretch.firstRow + anchor * Self.spacing
    return (start..<end, firstRow, min(Self.spacing, stretch.firstRow + stretch.count - firstRow))
  }
}
