import DataSources
import DataTables

/// The objects of a content as rows, batch by batch.
actor RowBatches {
  private var batches: ObjectBatches.Iterator
  private let keys: [ObjectKeyPath]
  private var sections: SectionColumn?

  init(_ content: Snapshot, keys: [String], sections: SectionColumn? = nil) {
    batches = content.batches(of: 1_000).makeAsyncIterator()
    self.sections = sections
    self.keys = keys.map { ObjectKeyPath(key: $0) }
  }

  /// The next rows; empty at the end.
  func next() async throws -> [[Value]] {
    var iterator = batches
    defer { batches = iterator }
    guard let batch = try await iterator.next() else { return [] }
    var column = sections
    defer { sections = column }
    let objects = try await column?.adding(to: batch) ?? batch.objects
    return objects.map { object in keys.map { $0.evaluate(on: object) } }
  }
}

extension Snapshot {
  /// Whether a table has the same objects: records with the same keys, whose values are scalars of
  /// one kind for each key and written in their shortest form. Reads all objects.
  func isTable(cancellation: Cancellation) async throws(SourceError) -> Bool {
    guard !keys.isEmpty, !store.hasOtherObjects else { return false }
    var kinds = [ColumnKinds](repeating: ColumnKinds(), count: keys.count)
    do {
      for try await batch in batches() {
        try cancellation.check()
        for object in batch.objects {
          guard case .record(let record) = object, record.keys == keys,
            record.values.allSatisfy(\.isPlain)
          else { return false }
          for (column, value) in record.values.enumerated() { kinds[column].add(value) }
        }
      }
    } catch {
      throw SourceError(error)
    }
    return kinds.allSatisfy(\.isTyped)
  }

  /// The columns of a table that holds the objects.
  /// - Parameter sections: the titles of the sections as a further column.
  /// - Throws: ``SourceError``, `badArgument` for objects that are not records.
  func databaseColumns(
    _ sections: SectionColumn? = nil, cancellation: Cancellation
  ) async throws -> [DatabaseColumn] {
    guard !keys.isEmpty, !store.hasOtherObjects else {
      throw SourceError.data(
        .badArgument(
          numberOfObjects == 0
            ? "the source has no objects, so the columns of the table are unknown"
            : "only records can be rows of a table"))
    }
    let keys = sections?.keys ?? keys
    let kinds = try await columnKinds(of: keys, sections, cancellation)
    return zip(keys, kinds).map { key, kinds in
      DatabaseColumn(name: key, declaredType: "", kind: kinds.kind)
    }
  }

  /// The kinds of the values of each key.
  private func columnKinds(
    of keys: [String], _ sections: SectionColumn?, _ cancellation: Cancellation
  ) async throws -> [ColumnKinds] {
    var sections = sections
    let paths = keys.map { ObjectKeyPath(key: $0) }
    var kinds = [ColumnKinds](repeating: ColumnKinds(), count: keys.count)
    for try await batch in batches() {
      try cancellation.check()
      for object in try await sections?.adding(to: batch) ?? batch.objects {
        for (column, path) in paths.enumerated() { kinds[column].add(path.evaluate(on: object)) }
      }
    }
    return kinds
  }
}

/// The kinds of the values of a column.
private struct ColumnKinds {
  private var kinds: Set<DatabaseColumn.Kind> = []

  mutating func add(_ value: Value) {
    switch value {
    case .null: break
    case .bool: kinds.insert(.bool)
    case .integer: kinds.insert(.integer)
    case .real(let real):
      kinds.insert(Value.real(Real(real.value)) == value ? .real : .decimal)
    case .string: kinds.insert(.text)
    case .date(let date):
      kinds.insert(date.offset != nil ? .instant : date.hasTime ? .dateTime : .date)
    case .data: kinds.insert(.data)
    case .array, .record: kinds.insert(.json)
    }
  }

  /// Whether all values have one kind, which an engine keeps.
  var isTyped: Bool { kinds.count < 2 && !kinds.contains(.json) }

  /// The kind that holds all values.
  var kind: DatabaseColumn.Kind {
    if kinds.count < 2 { return kinds.first ?? .any }
    if kinds == [.integer, .real] { return .real }
    if kinds.isSubset(of: [.integer, .real, .decimal]) { return .decimal }
    if kinds == [.date, .dateTime] { return .dateTime }
    // A time without a zone is compared with one that has a zone as if it were in GMT.
    return kinds.isSubset(of: [.date, .dateTime, .instant]) ? .instant : .any
  }
}

extension Value {
  /// Whether a table returns the value as it is written.
  fileprivate var isPlain: Bool {
    switch self {
    case .null, .bool, .integer, .string, .data: true
    case .real(let real): real.isFinite && Real(real.value).text == real.text
    case .date(let date): date.isoText == date.text && (date.offset == nil || date.text.last == "Z")
    case .array, .record: false
    }
  }
}
