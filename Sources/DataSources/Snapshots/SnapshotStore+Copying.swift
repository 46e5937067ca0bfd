import DataTables

extension SnapshotStore {
  /// All objects in memory, as columns if the store reads columns.
  /// - Throws: `changed` if the store returns more or fewer objects than it counts.
  func copiedTable(_ context: RequestContext) async throws -> any Table {
    let phase = context.progress.begin(
      "reading \(numberOfObjects.grouped) objects", unit: .rows, total: numberOfObjects)
    defer { phase.end() }
    var table = try await self.table(context)
    if table == nil {
      var objects: [Value] = []
      objects.reserveCapacity(numberOfObjects)
      for try await batch in Snapshot(self).batches(of: context.batchSize ?? 1_024) {
        try context.cancellation.check()
        objects += batch.objects
        phase.advance(by: batch.objects.count)
      }
      table = ValueTable(objects, keys: keys)
    }
    guard let table, table.count == numberOfObjects else {
      throw TableError.changed("the objects changed while they were read")
    }
    return table
  }
}
