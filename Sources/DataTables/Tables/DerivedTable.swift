/// A table whose rows are made from the rows of another table.
public protocol DerivedTable: Table {
  var base: any Table { get }
  /// The row of ``base`` from which a row is made.
  /// - Precondition: `row` is in `0..<count`.
  func baseRow(of row: Int) -> Int
}

extension Table {
  /// The values of a path in all objects, read in batches.
  ///
  /// For paths that no column of another table has.
  /// - Throws: ``TableError/unknownKey(_:known:)`` if there are objects and none has the key.
  /// - Complexity: O(rows): all objects are created.
  func columnOfObjects(
    _ path: ObjectKeyPath, cancellation: Cancellation
  ) throws -> KeyColumn {
    var coder = ValueCoder()
    coder.reserve(count)
    var unknown: TableError?
    var isKnown = count == 0
    for start in stride(from: 0, to: count, by: 4_096) {
      try cancellation.check()
      let objects = try objects(at: Array(start..<min(count, start + 4_096)))
      for object in objects { coder.append(path.evaluate(on: object)) }
      guard !isKnown else { continue }
      do {
        try path.checkKnown(to: objects)
        isKnown = true
      } catch {
        unknown = unknown ?? error
      }
    }
    if let unknown, !isKnown { throw unknown }
    return coder.column()
  }
}
