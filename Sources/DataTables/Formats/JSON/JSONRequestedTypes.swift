extension LoadedTable {
  /// The same rows with the values of some keys read as the types that `types:` requests.
  ///
  /// - Throws: ``TableError/unknownKey(_:known:)`` for a key that no row has, unless the rows are a
  ///   part of a source; ``TableError/format(_:at:)`` in strict mode, for a value that does not fit.
  package func requesting(
    _ request: ReadRequest, of table: any Table, cancellation: Cancellation
  ) throws -> LoadedTable {
    let options = request.options
    guard !options.types.isEmpty else {
      if let option = ReadOption.cellTypes.first(where: { options.given.contains($0.name) }) {
        throw TableError.badArgument(
          "`\(option.name):` applies to the keys of `types:`; JSON has types of its own")
      }
      return self
    }
    guard table.count > 0 else { return self }
    let forms = try request.forms(of: table, cancellation: cancellation)
    let requested = RequestedTable(table, forms)
    var misfits: [Misfits] = []
    for (key, type) in options.types.sorted(by: { $0.key < $1.key }) {
      if forms[key] == nil || type.fitsAll { continue }
      let found = try requested.misfits(
        of: key, type, options: options, cancellation: cancellation)
      if found.count > 0 { misfits.append(found) }
    }
    if options.isStrict, let first = misfits.min(by: { $0.start < $1.start }) {
      throw first.error(
        at: try table.valuePlaces(of: [first.start], keys: [first.key]).first?.position)
    }
    var loaded = LoadedTable(table: requested, report: report)
    loaded.extraValues = extraValues
    for place in loaded.report.columns.indices {
      let key = loaded.report.columns[place].key
      if let form = forms[key] {
        loaded.report.columns[place] = ColumnReport(key: key, type: form.form.type, isExact: true)
      }
    }
    try loaded.report.add(misfits) { rows, keys in try table.valuePlaces(of: rows, keys: keys) }
    return loaded
  }
}

extension ReadRequest {
  /// The forms of the keys whose types are requested.
  fileprivate func forms(
    of table: any Table, cancellation: Cancellation
  ) throws -> [String: ValueForm] {
    let nulls = CellReader(options)
    var forms: [String: ValueForm] = [:]
    for (key, type) in options.types.sorted(by: { $0.key < $1.key }) {
      guard table.keys.contains(key) else {
        if isPart { continue }
        throw TableError.unknownKey(key, known: table.keys)
      }
      var order = options.writtenDateOrder
      if type == .date, order == nil {
        let column = try table.column(ObjectKeyPath(key: key), cancellation: cancellation)
        order = RequestedTable.order(of: column)
      }
      forms[key] = ValueForm(CellForm(type, order: order, style: options.numberStyle), nulls: nulls)
    }
    return forms
  }
}

extension Table {
  /// The offsets, lines and columns of the values of keys in ascending rows; of rows in memory, only
  /// the lines are known.
  fileprivate func valuePlaces(
    of rows: [Int], keys: [String]
  ) throws -> [(offset: Int, position: TextPosition)] {
    if let table = self as? JSONTable { return try table.places(of: rows, keys: keys) }
    // The rows of a table without lines are counted as lines.
    return try rows.map { (0, TextPosition(line: try line(of: $0) ?? $0 + 1, column: 1)) }
  }
}

extension JSONTable {
  /// The offsets, lines and columns of the values of keys in ascending rows.
  func places(
    of rows: [Int], keys: [String]
  ) throws -> [(offset: Int, position: TextPosition)] {
    let offsets = try offsets(of: rows, keys: keys)
    var lines = LineCounter(store)
    return try offsets.map { ($0, try lines.position(of: $0)) }
  }
}
