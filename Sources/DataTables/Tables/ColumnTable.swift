import Synchronization

/// Records whose values are held as columns.
package final class ColumnTable: Table {
  package let count: Int
  private let shape: Record.Shape
  private let columns: [KeyColumn]
  private let derived = Mutex<[ObjectKeyPath: KeyColumn]>([:])

  /// - Precondition: the keys differ, and all columns have `count` rows.
  package init(keys: [String], columns: [KeyColumn], count: Int) {
    shape = Record.Shape(keys)
    self.columns = columns
    self.count = count
  }

  package var keys: [String] { shape.keys }
  package var hasUniformRows: Bool { true }

  package func objects(at rows: [Int]) -> [Value] { rows.map(object(at:)) }

  package func object(at row: Int) -> Value {
    .record(Record(shape: shape, values: columns.map { $0.value(at: row) }))
  }

  package func column(_ path: ObjectKeyPath, cancellation: Cancellation) throws -> KeyColumn {
    guard !path.steps.isEmpty else {
      return try columnOfObjects(path, cancellation: cancellation)
    }
    guard let key = path.steps[0].recordKey, let position = shape.position(of: key) else {
      guard count > 0 else { return .empty }
      throw TableError.unknownKey(ObjectKeyPath([path.steps[0]]).description, known: keys)
    }
    if path.steps.count == 1 { return columns[position] }
    if let known = derived.withLock({ $0[path] }) { return known }
    let result = try columns[position]
      .deriving(path.steps.dropFirst(), cancellation: cancellation)
    derived.withLock { $0[path] = result }
    return result
  }

  package func decodedColumn(_ path: ObjectKeyPath) -> KeyColumn? {
    guard let key = path.steps.first?.recordKey, let position = shape.position(of: key) else {
      return nil
    }
    return path.steps.count == 1 ? columns[position] : derived.withLock { $0[path] }
  }

  package func release(_ paths: [ObjectKeyPath]) {
    derived.withLock { $0 = $0.filter { !paths.includeBase(of: $0.key) } }
  }
}
