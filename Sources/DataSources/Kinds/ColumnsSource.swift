public import DataTables

/// Some values of the objects of another source, as records with keys of their own, in its order
/// and its sections. Nothing is copied: a column is read from the objects below.
///
/// An object that lacks a value has a null. Index titles of the source are kept.
public final class ColumnsSource: WrappingSource {
  public static let kind = "columns"
  public let state: SourceState
  public private(set) var source: any DataSource
  /// The columns of the next fetch; their keys differ.
  public var columns: [ProjectedTable.Column]

  public init(_ source: any DataSource, _ columns: [ProjectedTable.Column], name: String = "") {
    self.source = source
    self.columns = columns
    state = SourceState(name: name)
    listenToChildren()
  }

  public func wrap(_ other: any DataSource) throws(SourceError) {
    try leaveSource(for: other)
    source = other
    listenToChildren()
  }

  /// `columns name, address.city as city`
  public var summary: String {
    "columns "
      + columns.map { column in
        let key = ObjectKeyPath(key: column.key)
        return key == column.path ? "\(key)" : "\(column.path) as \(key)"
      }.joined(separator: ", ")
  }

  /// The column with the key.
  public func id(ofObjectsWith id: ObjectKeyPath) -> ObjectKeyPath? {
    shownColumns.first { $0.path == id }.map { ObjectKeyPath(key: $0.key) }
  }

  public var plan: FetchPlan {
    FetchPlan(source, settings: [columns]) { [columns] inner, fetch in
      let old = fetch.previous?.store.local?.table as? ProjectedTable
      return try await inner.showing(columns, replacing: old, fetch.context)
    }
  }

  public func explanation(
    of path: IndexPath, in snapshot: Snapshot
  ) async throws -> [ExplanationLine] {
    let paths = columns.map(\.path.description).joined(separator: ", ")
    return [ExplanationLine("columns", "\(paths) of the object below")]
  }

  public func absence(
    of object: Value, at path: IndexPath, ofChild child: Int
  ) async throws -> String? {
    guard let snapshot = state.snapshot,
      let shown = try await snapshot.indexPath(of: projected(object))
    else { return nil }
    return "shows only some of its values, at \(shown)"
  }

  private func projected(_ object: Value) -> Value {
    .record(Record(columns.map { ($0.key, $0.path.evaluate(on: object)) }))
  }

  public func editsBelow(_ edit: Edit) async throws -> [EditBelow] {
    try await editsOfSameObjects(edit).map { below in
      EditBelow(child: below.child, edit: try edited(below.edit))
    }
  }

  /// An edit with the keys of the source below.
  private func edited(_ edit: Edit) throws -> Edit {
    switch edit {
    case .insert(let objects, let place):
      return .insert(
        objects: try objects.map { object in
          guard case .record(let record) = object else {
            throw SourceError.data(.badArgument("a source of columns can insert only records"))
          }
          return try changed(.record(Record([])), record)
        }, at: place)
    case .remove: return edit
    case .update(let updates):
      return .update(
        try updates.map { ObjectUpdate($0.path, try $0.values.map(value(ofColumn:))) })
    case .move(let path, let place, let values):
      return .move(from: path, to: place, setting: try values.map(value(ofColumn:)))
    }
  }

  /// The value of a column as a value of the object below.
  private func value(ofColumn value: KeyValue) throws -> KeyValue {
    guard let key = value.path.steps.first?.key, let column = column(of: key) else {
      throw SourceError.data(
        .unknownKey(value.path.steps.first?.key ?? "", known: columns.map(\.key)))
    }
    if Value.record(Record([])).replacing(column.path.steps[...], with: value.value) == nil {
      throw SourceError.data(
        .badArgument("`\(key)` is computed from `\(column.path)` and cannot be changed"))
    }
    return KeyValue(ObjectKeyPath(column.path.steps + value.path.steps.dropFirst()), value.value)
  }

  private func column(of key: String) -> ProjectedTable.Column? {
    shownColumns.first { $0.key == key }
  }

  /// The columns of the content; the setting may be newer.
  private var shownColumns: [ProjectedTable.Column] {
    (state.snapshot?.store.local?.table as? ProjectedTable)?.columns ?? columns
  }

  /// An object of the source below with other values under the paths of some columns.
  private func changed(_ object: Value, _ values: Record) throws -> Value {
    var object = object
    for (key, value) in zip(values.keys, values.values) {
      guard let column = column(of: key) else {
        throw SourceError.data(.unknownKey(key, known: columns.map(\.key)))
      }
      guard let changed = object.replacing(column.path.steps[...], with: value) else {
        throw SourceError.data(
          .badArgument("`\(key)` is computed from `\(column.path)` and cannot be changed"))
      }
      object = changed
    }
    return object
  }
}

extension LocalStore {
  /// - Throws: `TableError.unknownKey` for a path that no object has.
  /// - Complexity: O(1) if one of the first objects has a value, O(rows) otherwise.
  fileprivate func checkKnown(_ path: ObjectKeyPath, cancellation: Cancellation) throws {
    let rows = (0..<min(100, order.count)).map { order[$0] }
    do {
      try path.checkKnown(to: try table.objects(at: rows))
    } catch TableError.unknownKey {
      _ = try table.column(path, cancellation: cancellation)
    }
  }
}

extension Snapshot {
  /// The same sections with only some values of each object.
  ///
  /// - Parameter old: a table with decoded columns, which is used again if it has the same rows.
  /// - Throws: `TableError.unknownKey` for a path that no object has.
  // Concurrent, to leave the isolation of the source free.
  @concurrent
  package func showing(
    _ columns: [ProjectedTable.Column], replacing old: ProjectedTable? = nil,
    _ context: RequestContext
  ) async throws -> Snapshot {
    guard let store = self.store.local?.acceptingAnyKey else {
      let store = try ProjectedStore(self.store, columns)
      return adopting(store, sections: Array(0..<store.numberOfSections))
    }
    for column in columns {
      try store.checkKnown(column.path, cancellation: context.cancellation)
    }
    // The old table, where it has the same rows: it has decoded columns, and no changes are sought.
    let isCurrent = old.map { $0.base === store.table && $0.columns == columns } ?? false
    let table =
      isCurrent ? old ?? ProjectedTable(store.table, columns) : ProjectedTable(store.table, columns)
    let sections = Sections(offsets: store.sections.offsets, titles: store.sections.titles)
    return adopting(
      LocalStore(table: table, order: store.order, sections: sections),
      sections: Array(0..<sections.count))
  }
}
