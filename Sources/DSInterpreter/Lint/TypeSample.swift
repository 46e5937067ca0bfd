import DataSources
import DataTables
import Databases

extension Snapshot {
  /// The maximum number of rows that are read for a warning.
  private static let maximumRows = 100_000

  /// Rows of a table with all types of values that the table has under the keys of a predicate,
  /// for the warnings about the predicate; nil if no comparison of it can have one.
  ///
  /// No row is read unless the types of a column, which the engine has determined for the predicate,
  /// do not fit.
  /// - Throws: ``SourceError``, `TableError.cancelled`.
  func typeSample(
    of store: TableStore, for predicate: Predicate, cancellation: Cancellation
  ) async throws -> ValueTable? {
    var types: [ObjectKeyPath: Set<ValueType>] = [:]
    for path in Set(predicate.keyPaths) where path.steps.count == 1 {
      types[path] = Set(try await store.types(of: path, RequestContext(cancellation: cancellation)))
    }
    let examples = ValueTable(store.examples(of: types))
    let findings = try examples.comparisonFindings(
      of: predicate, in: .natural(examples.count), cancellation: cancellation)
    guard findings.contains(where: \.isAboutTypes) else { return examples }
    var rows: [Value] = []
    for try await batch in batches() {
      try cancellation.check()
      rows += batch.objects
      for (path, missing) in types {
        types[path] = missing.subtracting(batch.objects.map { path.evaluate(on: $0).type })
      }
      if types.values.allSatisfy(\.isEmpty) { return ValueTable(rows) }
      if rows.count >= Self.maximumRows { return nil }
    }
    return nil
  }
}

extension TableStore {
  /// Objects in which each key has a value of each of its types.
  fileprivate func examples(of types: [ObjectKeyPath: Set<ValueType>]) -> [Value] {
    let shape = Record.Shape(keys)
    let ordered = keys.map { key in types[ObjectKeyPath(key: key)]?.sorted() ?? [] }
    let count = max(1, ordered.map(\.count).max() ?? 1)
    return (0..<count).map { number in
      .record(
        Record(
          shape: shape,
          values: ordered.map { $0.isEmpty ? .null : $0[number % $0.count].example }))
    }
  }
}

extension ValueType {
  fileprivate var example: Value {
    switch self {
    case .null: .null
    case .bool: true
    case .number: 0
    case .string: ""
    case .date: Value(literal: "2000-01-01")
    case .data: .data([])
    case .array: .array([])
    case .record: .record(Record([]))
    }
  }
}

extension ComparisonFinding {
  fileprivate var isAboutTypes: Bool { if case .types = cause { true } else { false } }
}
