import DataSources
import DataTables

/// Some objects of a content, or all of few.
struct ObjectSample {
  let objects: [Value]
  /// The number of objects of the content.
  let total: Int
  /// Whether the objects are the first ones of the content, not some from everywhere in it: their
  /// values may be those of a part of the content only.
  let isBeginning: Bool

  /// The maximum number of objects that are examined, and of those that a database is asked for.
  private static let limit = 10_000
  private static let limitOfPages = 1_000

  /// Whether the content has other objects.
  var isPart: Bool { objects.count < total }

  /// Objects from everywhere in the content; the first ones, if it is not in memory.
  /// - Throws: ``SourceError``, `TableError.cancelled`.
  init(
    of content: Snapshot, limit: Int = ObjectSample.limit, cancellation: Cancellation
  ) async throws {
    if let local = content.store.local, content.numberOfObjects > limit {
      self = try ObjectSample(of: local, limit: limit)
      return
    }
    let limit = content.store.local == nil ? min(limit, Self.limitOfPages) : limit
    var objects: [Value] = []
    for try await batch in content.batches() where objects.count < limit {
      try cancellation.check()
      objects += batch.objects.prefix(limit - objects.count)
      if objects.count == limit { break }
    }
    self.objects = objects
    total = content.numberOfObjects
    isBeginning = objects.count < total
  }

  /// - Throws: the errors of reading rows.
  private init(of store: LocalStore, limit: Int) throws {
    let total = store.order.count
    self.total = total
    isBeginning = false
    // One from each part of the rows, at no fixed distance: values may repeat at a fixed distance.
    var random = SeededGenerator(seed: 1)
    let count = min(total, limit)
    let rows = (0..<count).map { part in
      let positions = part * total / count..<(part + 1) * total / count
      return store.order[Int.random(in: positions, using: &random)]
    }
    // Files are read fastest in the order of their rows.
    objects = try store.table.objects(at: rows.sorted())
  }
}
