public import DataTables

/// One object for each element of the arrays under a key path of another source, with the keys of
/// the object that has the array (its parent), in the order and in the sections of the source.
///
/// The keys of an element take the place of the array: `{name, orders: [{id, price}]}` becomes
/// `{name, id, price}`. A key that the parents have too is preceded by the key of the array,
/// `orders_id`. Elements that are not records are stored under the key of the array, and a value
/// that is not an array counts as an array of one element. Objects without elements are left out,
/// unless ``keepsEmpty`` is set; sections that become empty are removed.
public final class UnrolledSource: WrappingSource {
  public static let kind = "unroll"
  public let state: SourceState
  public private(set) var source: any DataSource
  /// The path of the arrays of the next fetch.
  public var path: ObjectKeyPath
  /// Whether the next fetch shows objects without elements.
  public var keepsEmpty: Bool

  public init(
    _ source: any DataSource, by path: ObjectKeyPath, keepsEmpty: Bool = false, name: String = ""
  ) {
    self.source = source
    self.path = path
    self.keepsEmpty = keepsEmpty
    state = SourceState(name: name)
    listenToChildren()
  }

  public func wrap(_ other: any DataSource) throws(SourceError) {
    try leaveSource(for: other)
    source = other
    listenToChildren()
  }

  /// `unroll orders`
  public var summary: String { "unroll \(path)" + (keepsEmpty ? ", empty: show" : "") }

  /// The rows of the last fetch; nil before the first one.
  public var table: UnrolledTable? { state.snapshot?.store.local?.table as? UnrolledTable }

  /// The key of the parents is the same in all elements of one.
  public func id(ofObjectsWith id: ObjectKeyPath) -> ObjectKeyPath? { nil }

  public var plan: FetchPlan {
    FetchPlan(source, settings: [path, keepsEmpty]) { [path, keepsEmpty] inner, fetch in
      let old = fetch.previous?.store.local?.table as? UnrolledTable
      return try await Self.unrolled(inner, path, keepsEmpty, replacing: old, fetch.context)
    }
  }

  // Concurrent, to leave the isolation of the source free.
  @concurrent
  private static func unrolled(
    _ inner: Snapshot, _ path: ObjectKeyPath, _ keepsEmpty: Bool, replacing old: UnrolledTable?,
    _ context: RequestContext
  ) async throws -> Snapshot {
    let store = try await inner.localStore(context).acceptingAnyKey
    let phase = context.progress.begin("unrolling \(store.order.count.grouped) objects")
    defer { phase.end() }
    let table: UnrolledTable
    if let old, old.base === store.table, old.path == path, old.keepsEmpty == keepsEmpty,
      old.order.isIdentical(to: store.order)
    {
      table = old
    } else {
      table = try UnrolledTable(
        store.table, store.order, by: path, keepsEmpty: keepsEmpty,
        cancellation: context.cancellation)
    }
    let isFlat = store.sections.titles == [""]
    var offsets = [0]
    var kept: [Int] = []
    for section in 0..<store.sections.count {
      let end = table.starts[store.sections.offsets[section + 1]]
      guard isFlat || end > (offsets.last ?? 0) else { continue }
      offsets.append(end)
      kept.append(section)
    }
    let sections = Sections(offsets: offsets, titles: kept.map { store.sections.titles[$0] })
    var snapshot = inner.adopting(
      LocalStore(table: table, order: .natural(table.count), sections: sections), sections: kept)
    if inner.store.local == nil {
      snapshot.shortfall = Shortfall(
        rest: ContentRequest(), reasons: ["the elements of \(path) become objects of their own"],
        objects: inner.numberOfObjects, computation: inner.store.computation)
    }
    return snapshot
  }

  public func explanation(
    of path: IndexPath, in snapshot: Snapshot
  ) async throws -> [ExplanationLine] {
    guard let store = snapshot.store.local, let table = store.table as? UnrolledTable else {
      return []
    }
    let row = try store.row(at: path)
    let (position, element) = table.origin(of: row)
    let parent = try table.base.object(at: table.baseRow(of: row))
    let text =
      table.path.evaluate(on: parent).elements.isEmpty
      ? "\(table.path) has no elements; `empty: show` keeps the object"
      : "element \(element) of the \(table.starts[position + 1] - table.starts[position]) in "
        + "\(table.path)"
    return [ExplanationLine("row \(path.row)", text)]
  }

  public func absence(
    of object: Value, at path: IndexPath, ofChild child: Int
  ) async throws -> String? {
    guard let table, let store = source.state.snapshot?.store.local, store.table === table.base
    else { return nil }
    let elements = self.path.evaluate(on: object).elements
    if elements.isEmpty, !keepsEmpty {
      return "its \(self.path) has no elements; `empty: show` shows it"
    }
    let position = store.sections.offsets[path.section] + path.row
    guard position + 1 < table.starts.count,
      let first = state.snapshot?.store.indexPath(ofPosition: table.starts[position])
    else { return nil }
    return "its elements are shown instead, from \(first) on"
  }

  public func editsBelow(_ edit: Edit) async throws -> [EditBelow] {
    let content = try content
    guard let store = content.store.local, let table = store.table as? UnrolledTable else {
      throw SourceError.data(.badArgument("the elements of this content cannot be edited"))
    }
    let elements: [(path: IndexPath, values: [KeyValue]?)]
    switch edit {
    case .insert:
      throw SourceError.data(
        .badArgument("cannot determine which object below should receive the element"))
    case .move:
      throw SourceError.data(
        .badArgument("elements cannot be moved; update the array of the object below"))
    case .remove(let paths): elements = paths.map { ($0, nil) }
    case .update(let updates): elements = updates.map { ($0.path, $0.values) }
    }
    let origins = try await origins(of: elements.map(\.path), in: content)
    var edits: [(origin: IndexPath, edit: UnrolledEdit)] = []
    var indexes: [IndexPath: Int] = [:]
    for (element, origin) in zip(elements, origins) {
      guard let origin = origin?.path else { throw SourceError.outdatedObject }
      let index = indexes[origin] ?? edits.count
      if index == edits.count {
        indexes[origin] = index
        let parent = try await source.object(at: origin)
        edits.append((origin, try UnrolledEdit(table, parent: parent)))
      }
      edits[index].edit.add(
        element: table.origin(of: try store.row(at: element.path)).element, element.values)
    }
    return [
      EditBelow(
        child: 0,
        edit: .update(try edits.map { ObjectUpdate($0.origin, try $0.edit.values()) }))
    ]
  }
}
