import Synchronization

/// A table in which the values of some keys are read as the types that `types:` requests. Values
/// that do not fit are null.
final class RequestedTable: Table {
  private let base: any Table
  private let forms: [String: ValueForm]
  private let columns = Mutex<[ObjectKeyPath: KeyColumn]>([:])

  init(_ base: any Table, _ forms: [String: ValueForm]) {
    self.base = base
    self.forms = forms
  }

  var count: Int { base.count }
  var keys: [String] { base.keys }
  var hasUniformRows: Bool { base.hasUniformRows }
  var hasOtherRows: Bool { base.hasOtherRows }
  var typeChanges: [TypeChange] { base.typeChanges }

  func line(of row: Int) throws -> Int? { try base.line(of: row) }

  func objects(at rows: [Int]) throws -> [Value] { try base.objects(at: rows).map(typed) }

  func object(at row: Int) throws -> Value { typed(try base.object(at: row)) }

  private func typed(_ object: Value) -> Value {
    guard case .record(let record) = object else { return object }
    var values = record.values
    for (place, key) in record.keys.enumerated() {
      if let form = forms[key] { values[place] = form.value(values[place]) ?? .null }
    }
    return .record(Record(shape: record.shape, values: values))
  }

  func decode(_ paths: [ObjectKeyPath], cancellation: Cancellation) throws {
    try base.decode(paths, cancellation: cancellation)
  }

  func release(_ paths: [ObjectKeyPath]) {
    columns.withLock { columns in
      for path in paths { columns[path] = nil }
    }
    base.release(paths)
  }

  func column(_ path: ObjectKeyPath, cancellation: Cancellation) throws -> KeyColumn {
    guard case .key(let key)? = path.steps.first, let form = forms[key] else {
      return try base.column(path, cancellation: cancellation)
    }
    if let column = columns.withLock({ $0[path] }) { return column }
    let column: KeyColumn
    if path.steps.count == 1 {
      column = try typedColumn(path, form, cancellation)
    } else {
      column = try self.column(ObjectKeyPath(key: key), cancellation: cancellation)
        .deriving(path.steps.dropFirst(), cancellation: cancellation)
    }
    columns.withLock { $0[path] = column }
    return column
  }

  private func typedColumn(
    _ path: ObjectKeyPath, _ form: ValueForm, _ cancellation: Cancellation
  ) throws -> KeyColumn {
    switch try base.column(path, cancellation: cancellation) {
    case .coded(let codes, let values):
      if values.count > ColumnTarget.maxCodedNumbers, let kind = form.form.kind,
        let keys = try keys(of: values, form, as: kind, cancellation)
      {
        let rows = (0..<codes.count).lazy.map { keys[codes[$0]] }
        return .keyed(NumericColumn(kind: kind, keys: NumericKeys(rows)))
      }
      return .coded(codes, values: DistinctValues(values.map { form.value($0) ?? .null }))
    case .keyed(let column):
      // Only the objects have the texts of the numbers.
      guard form.form.type != .string, let kind = form.form.kind else {
        return try columnOfObjects(path, cancellation: cancellation)
      }
      var keys: [UInt64] = []
      keys.reserveCapacity(column.keys.count)
      for (row, key) in column.keys.enumerated() {
        if row & 0xFFF == 0 { try cancellation.check() }
        let value = form.value(column.value(of: key)) ?? .null
        guard let key = NumericColumn.key(of: value, kind) else {
          return try columnOfObjects(path, cancellation: cancellation)
        }
        keys.append(key)
      }
      return .keyed(NumericColumn(kind: kind, keys: keys))
    }
  }

  /// The key of each value; nil if a value has no key of its own.
  private func keys(
    of values: DistinctValues, _ form: ValueForm, as kind: NumericColumn.Kind,
    _ cancellation: Cancellation
  ) throws -> [UInt64]? {
    var keys: [UInt64] = []
    keys.reserveCapacity(values.count)
    for (code, value) in values.enumerated() {
      if code & 0xFFF == 0 { try cancellation.check() }
      guard let key = NumericColumn.key(of: form.value(value) ?? .null, kind) else { return nil }
      keys.append(key)
    }
    return keys
  }

  func report(on key: String, cancellation: Cancellation) throws -> ColumnReport {
    guard let form = forms[key] else { return try base.report(on: key, cancellation: cancellation) }
    return ColumnReport(key: key, type: form.form.type, isExact: true)
  }
}

extension RequestedTable {
  /// The values of a key of the base that do not fit, by the number of their row.
  func misfits(
    of key: String, _ type: RequestedType, options: ReadOptions, cancellation: Cancellation
  ) throws -> Misfits {
    var misfits = Misfits(key: key, type: type, options: options)
    guard let form = forms[key] else { return misfits }
    misfits.foundOrder = form.form.dateOrder
    switch try base.column(ObjectKeyPath(key: key), cancellation: cancellation) {
    case .coded(let codes, let values):
      let fits = values.map { form.value($0) != nil }
      guard fits.contains(false) else { return misfits }
      for row in 0..<codes.count where !fits[codes[row]] {
        misfits.add(values[codes[row]], at: row)
      }
    case .keyed(let column):
      for (row, key) in column.keys.enumerated() {
        let value = column.value(of: key)
        if form.value(value) == nil { misfits.add(value, at: row) }
      }
    }
    return misfits
  }

  /// The order of day, month and year in the strings of a column.
  static func order(of column: KeyColumn) -> WrittenDate.Order? {
    guard case .coded(_, let values) = column else { return nil }
    var votes = DateOrderVotes()
    for case .string(var text) in values { text.withUTF8 { votes.add(UnsafeRawBufferPointer($0)) } }
    return votes.order
  }
}
