import DataSources
import DataTables

/// The objects of a content as rows, batch by batch.
actor RowBatches {
  private var batches: ObjectBatches.Iterator
  private let keys: [ObjectKeyPath]

  init(_ content: Snapshot, keys: [String]) {
    batches = content.batches(of: 1_000).makeAsyncIterator()
    self.keys = keys.map { ObjectKeyPath(key: $0) }
  }

  /// The next rows; empty at the end.
  func next() async throws -> [[Value]] {
    var iterator = batches
    defer { batches = iterator }
    guard let batch = try await iterator.next() else { return [] }
    return batch.objects.map { object in keys.map { $0.evaluate(on: object) } }
  }
}

extension Snapshot {
  /// Whether a table has the same objects: records with the same keys, whose values are scalars of
  /// one type for each key and written in their shortest form.
  func isTable() async throws(SourceError) -> Bool {
    guard !keys.isEmpty, !store.hasOtherObjects else { return false }
    do {
      var types: [String: ValueType] = [:]
      for try await batch in batches() {
        for object in batch.objects {
          guard case .record(let record) = object, record.keys == keys else { return false }
          for (key, value) in zip(keys, record.values) where !value.isNull {
            guard value.isPlain, types[key, default: value.type] == value.type else { return false }
            types[key] = value.type
          }
        }
      }
      return true
    } catch {
      throw SourceError(error)
    }
  }

  /// The columns of a table that holds the objects.
  /// - Throws: ``SourceError``, `badArgument` for objects that are not records.
  func databaseColumns(cancellation: Cancellation) async throws -> [DatabaseColumn] {
    guard !keys.isEmpty, !store.hasOtherObjects else {
      throw SourceError.data(.badArgument("only records can be rows of a table"))
    }
    var columns: [DatabaseColumn] = []
    for key in keys {
      let path = ObjectKeyPath(key: key)
      let types = try await store.types(of: path, cancellation: cancellation)
      let report = try await store.report(on: key, cancellation: cancellation)
      columns.append(
        DatabaseColumn(name: key, declaredType: "", kind: Self.kind(of: types, report.type)))
    }
    return columns
  }

  /// The kind that holds all values as they are.
  private static func kind(of types: [ValueType], _ type: ColumnType) -> DatabaseColumn.Kind {
    switch types {
    case []: .any
    case [.bool]: .bool
    case [.number]: type == .integer ? .integer : type == .real ? .real : .any
    case [.string]: .text
    case [.date]: .dateTime
    case [.data]: .data
    default: .any
    }
  }
}

extension Value {
  /// Whether a table returns the value as it is written.
  fileprivate var isPlain: Bool {
    switch self {
    case .null, .bool, .integer, .string, .data: true
    case .real(let real): real.isFinite && Real(real.value).text == real.text
    case .date(let date): Value(literal: date.text).type == .date
    case .array, .record: false
    }
  }
}
