internal import CScan

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
      for place in rows.placesAscending {
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

  /// Reads rows with all their fields, neighbours together.
  /// - Parameter body: gets the place of the row in `rows`.
  func forEachRow(
    _ rows: [Int],
    _ body: (Int, UnsafeBufferPointer<ds_field>, UnsafePointer<UInt8>) throws -> Void
  ) throws {
    try withReader { reader in
      for place in rows.placesAscending {
        try reader.read(rows[place]) { try body(place, $0, $1) }
      }
    }
  }

  /// Where a row begins in the store.
  func offset(of row: Int) throws -> Int { try withReader { try $0.offset(of: row) } }

  private func withReader<Result>(_ body: (RowReader) throws -> Result) rethrows -> Result {
    try readers.withReader(make: { RowReader(self) }) { reader in
      reader.begin()
      return try body(reader)
    }
  }
}
