internal import CScan

extension DelimitedTable {
  func object(at row: Int) throws -> Value {
    let types = types
    return try withReader { try object(at: row, types, $0) }
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

extension [Int] {
  /// The places of the elements, those of small elements first.
  var placesAscending: [Int] {
    // Sorted already where neighbours are read.
    let isAscending = zip(self, dropFirst()).allSatisfy { $0 <= $1 }
    return isAscending ? Array(indices) : indices.sorted { self[$0] < self[$1] }
  }
}
