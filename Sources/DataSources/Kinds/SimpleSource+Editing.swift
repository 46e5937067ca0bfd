public import DataTables

extension SimpleSource: EditableSource {
  public func apply(_ edit: Edit, cancellation: Cancellation) async throws -> Bool {
    guard let store = try content.store.local else { return false }
    let edited: EditedTable
    switch edit {
    case .insert(let object, let row):
      let row = try row.map { try Self.tableRow(before: $0, in: store) } ?? table.count
      edited = .replacing(row..<row, of: table, with: [object])
    case .remove(let path):
      let row = try store.row(at: path)
      edited = .replacing(row..<row + 1, of: table, with: [])
    case .update(let path, let values):
      let row = try store.row(at: path)
      guard case .record(let record) = try table.object(at: row) else {
        throw SourceError.data(.badArgument("the object is not a record, so it has no keys"))
      }
      edited = .replacing(row..<row + 1, of: table, with: [.record(record.updating(values))])
    }
    let snapshot = try await snapshot(of: edited, cancellation: cancellation)
    table = edited
    await show(snapshot, cancellation: cancellation)
    return true
  }

  /// The row of the table before which to insert an object. `row` is the row of the source before
  /// which the object should appear.
  private static func tableRow(before row: Int, in store: LocalStore) throws -> Int {
    if row == store.numberOfObjects { return store.table.count }
    return try store.row(at: IndexPath(section: 0, row: row))
  }

  /// Whether objects of a loaded file have been edited since it was read.
  public var hasEdits: Bool { path != nil && table is EditedTable }
}

extension Record {
  /// The record with the values of another one; new keys are added at the end.
  fileprivate func updating(_ values: Record) -> Record {
    Record(
      Array(zip(keys, self.values)) + Array(zip(values.keys, values.values)))
  }
}
