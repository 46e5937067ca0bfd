public import DataTables

/// A store that is read without waiting: rows of a table, in memory or in a file, with their order
/// and their sections.
public struct LocalStore: SnapshotStore {
  /// The rows and sections, without the indexes that find objects.
  let content: SectionedTable
  private let lookup: ObjectLookup
  private let origin: Origin

  /// Where the rows come from; a class, because stores are copied more often than it is read.
  private final class Origin: Sendable {
    /// The order of the rows before a request sorted and split them; nil for ``order``.
    let input: RowOrder?
    /// The store whose objects are the rows of the table, if they were copied from it.
    let copied: (any SnapshotStore)?
    /// Whether ``copied`` has answered a part of the request, so that its rows have positions of their
    /// own in the input.
    let isPart: Bool

    init(input: RowOrder?, copied: (any SnapshotStore)?, isPart: Bool = false) {
      self.input = input
      self.copied = copied
      self.isPart = isPart
    }

    static let none = Origin(input: nil, copied: nil)
  }

  /// - Precondition: `order` contains only rows of `table`, and the last offset of `sections` is
  ///   the number of rows in `order`.
  public init(table: any Table, order: RowOrder, sections: Sections) {
    self.init(table: table, order: order, sections: sections, .none)
  }

  private init(table: any Table, order: RowOrder, sections: Sections, _ origin: Origin) {
    content = SectionedTable(table: table, order: order, sections: sections)
    lookup = ObjectLookup(table: table, order: order)
    self.origin = origin
  }

  /// All rows of a table as one section.
  public init(table: any Table, title: Value = "") {
    self.init(
      table: table, order: .natural(table.count),
      sections: .whole(table.count, title: title))
  }

  public var table: any Table { content.table }
  /// The rows of the table that are objects of the store, in order.
  public var order: RowOrder { content.order }
  public var sections: Sections { content.sections }
  public var local: LocalStore? { self }
  public var listedTitles: [ListedTitle]? { sections.listed }
  public var numberOfSections: Int { sections.count }
  public var numberOfObjects: Int { order.count }
  public var keys: [String] { table.keys }

  /// The rows before a request sorted and split them; nil if no request did.
  var input: RowOrder? { origin.input }

  public func numberOfObjects(in section: Int) -> Int {
    sections.offsets[section + 1] - sections.offsets[section]
  }

  /// The row of the table at an index path.
  /// - Complexity: O(1) once the order of the rows is known.
  /// - Throws: ``SourceError/sectionOutOfRange(_:sections:)``,
  ///   ``SourceError/rowOutOfRange(_:rows:title:)``; `limit` if the order needs too much memory.
  public func row(at path: IndexPath) throws(SourceError) -> Int {
    guard path.section >= 0, path.section < sections.count else {
      throw .sectionOutOfRange(path.section, sections: sections.count)
    }
    let count = numberOfObjects(in: path.section)
    guard path.row >= 0, path.row < count else {
      throw .rowOutOfRange(path, rows: count, title: sections.titles[path.section])
    }
    do { try order.prepare() } catch { throw SourceError(error) }
    return order[sections.offsets[path.section] + path.row]
  }

  /// - Throws: the errors of ``row(at:)``; `changed` when the file has changed since it was loaded.
  public func object(at path: IndexPath) throws(SourceError) -> Value {
    let row = try row(at: path)
    do { return try table.object(at: row) } catch { throw SourceError(error) }
  }

  /// The index path of a position in ``order``.
  public func indexPath(ofPosition position: Int) -> IndexPath {
    let section = sections.section(of: position)
    return IndexPath(section: section, row: position - sections.offsets[section])
  }

  /// The index path of a row of the table; nil if ``order`` does not contain it.
  /// - Complexity: O(log sections) in natural order, O(rows) otherwise.
  func indexPath(ofRow row: Int) -> IndexPath? {
    guard let rows = order.list else {
      return row < order.count ? indexPath(ofPosition: row) : nil
    }
    return rows.firstIndex { Int($0) == row }.map { indexPath(ofPosition: $0) }
  }

  /// The index paths of rows of another table, if that has the rows of this store's table or makes its
  /// own from them; nil for rows that ``order`` does not contain.
  /// - Complexity: O(rows + sections · log sections), not for each of them.
  func indexPaths(ofRows rows: [Int], of other: any Table) -> [IndexPath?] {
    guard let mapped = mapped(rows, of: other) else {
      return [IndexPath?](repeating: nil, count: rows.count)
    }
    if case .natural(let count) = order {
      return mapped.map { $0 < count ? indexPath(ofPosition: $0) : nil }
    }
    let order = order.withList
    var positions = [Int](repeating: -1, count: table.count)
    for position in (0..<order.count).reversed() { positions[order[position]] = position }
    return mapped.map { row in
      row < positions.count && positions[row] >= 0 ? indexPath(ofPosition: positions[row]) : nil
    }
  }

  /// The index paths of all objects that are a row of another table or made from it.
  /// - Complexity: O(rows).
  func indexPaths(showing row: Int, of other: any Table) -> [IndexPath] {
    let baseRow: (Int) -> Int
    if table === other || EditedTable.haveSameRows(table, other) {
      baseRow = { $0 }
    } else if let derived = table as? any DerivedTable,
      derived.base === other || EditedTable.haveSameRows(derived.base, other)
    {
      baseRow = derived.baseRow(of:)
    } else {
      return []
    }
    return (0..<order.count).filter { baseRow(order[$0]) == row }.map(indexPath(ofPosition:))
  }

  /// The rows of this store's table for rows of another one.
  private func mapped(_ rows: [Int], of other: any Table) -> [Int]? {
    if other === table || EditedTable.haveSameRows(table, other) { return rows }
    // The rows of a wrapper may be made from the rows of this store.
    guard let derived = other as? any DerivedTable,
      derived.base === table || EditedTable.haveSameRows(table, derived.base)
    else { return nil }
    return rows.map { derived.baseRow(of: $0) }
  }

  public func titles(of sections: Range<Int>) -> [Value] {
    Array(self.sections.titles[sections])
  }

  public func objects(in section: Int, rows: Range<Int>) throws -> [Value] {
    let start = sections.offsets[section]
    try order.prepare()
    return try table.objects(at: rows.map { order[start + $0] })
  }

  public func indexPath(
    matching values: Record, cancellation: Cancellation = Cancellation()
  ) throws -> IndexPath? {
    try order.prepare()
    return try lookup.position(matching: values).map(indexPath(ofPosition:))
  }

  public func indexPath(
    of object: Value, cancellation: Cancellation = Cancellation()
  ) throws -> IndexPath? {
    try lookup.position(of: object).map(indexPath(ofPosition:))
  }

  public func indexPath(
    where predicate: Predicate, cancellation: Cancellation
  ) throws -> IndexPath? {
    try tableOfObjects.firstPosition(in: order, satisfying: predicate, cancellation: cancellation)
      .map(indexPath(ofPosition:))
  }

  public func aggregates(
    of kind: CollectionOperator, _ steps: [ObjectKeyPath.Step], asOne: Bool,
    _ context: RequestContext
  ) throws -> SectionAggregates {
    try tableOfObjects.aggregates(
      of: kind, steps, in: order,
      sections: asOne ? .whole(order.count, title: "") : sections,
      cancellation: context.cancellation)
  }

  public func summary(of key: ObjectKeyPath, _ context: RequestContext) throws -> KeySummary {
    try tableOfObjects.summary(of: key, in: order, cancellation: context.cancellation)
  }

  /// The type of the column in the whole table.
  public func report(on key: String, _ context: RequestContext) throws -> ColumnReport {
    try table.report(on: key, cancellation: context.cancellation)
  }

  public func types(of key: ObjectKeyPath, _ context: RequestContext) throws -> [ValueType] {
    try tableOfObjects.column(key, cancellation: context.cancellation).types(in: order)
  }

  /// - Complexity: O(rows), plus O(rows of the input) if the input is not in its natural order.
  public func inputPositions(cancellation: Cancellation) async throws -> [[Int]] {
    try order.prepare()
    try origin.input?.prepare()
    let positions = ownInputPositions
    guard origin.isPart, let copied = origin.copied else { return positions }
    let base = try await copied.inputPositions(cancellation: cancellation).flatMap { $0 }
    return positions.map { $0.map { base.indices.contains($0) ? base[$0] : $0 } }
  }

  private var ownInputPositions: [[Int]] {
    let all = (0..<sections.count).map { rows(in: $0) }
    guard let input = (origin.input ?? order).list else { return all }
    let positions = Dictionary(
      zip(input.map { Int($0) }, input.indices), uniquingKeysWith: { first, _ in first })
    return all.map { $0.map { positions[$0] ?? $0 } }
  }

  /// The position in the input of a row of the table.
  /// - Complexity: O(1) if the input is in its natural order, O(rows of the input) otherwise.
  func inputPosition(ofRow row: Int) -> Int {
    guard let rows = (origin.input ?? order).list else { return row }
    return rows.firstIndex { Int($0) == row } ?? row
  }

  /// The same row of the table, or the object that was copied to it.
  public func identity(at path: IndexPath) async throws -> RowIdentity? {
    let row = try row(at: path)
    guard let copied = origin.copied else { return .row(table, row) }
    guard let path = copied.indexPath(ofPosition: row) else { return nil }
    return try await copied.identity(at: path)
  }

  /// Finds the same row, or the row that a ``DerivedTable`` made from it.
  public func indexPath(of identity: RowIdentity) async throws -> IndexPath? {
    try order.prepare()
    switch identity {
    case .row(let other, let row):
      return mapped([row], of: other).flatMap { indexPath(ofRow: $0[0]) }
    case .key:
      guard let copied = origin.copied, let path = try await copied.indexPath(of: identity) else {
        return nil
      }
      return indexPath(ofRow: copied.position(of: path))
    }
  }

  /// The rows of a section's objects.
  /// - Precondition: `section` is in `0..<numberOfSections`.
  public func rows(in section: Int) -> [Int] {
    (sections.offsets[section]..<sections.offsets[section + 1]).map { order[$0] }
  }

  /// The objects that satisfy a predicate, and the positions in this store of the sections that are
  /// kept.
  func filtered(
    by predicate: Predicate, keepsEmpty: Bool = false, cancellation: Cancellation = Cancellation()
  ) throws -> (store: LocalStore, sections: [Int]) {
    try order.prepare()
    let isFlat = sections.titles == [""]
    let kept = try table.filtered(
      order, in: sections, by: predicate, keepsEmpty: keepsEmpty || isFlat,
      cancellation: cancellation)
    return (with(kept.order, kept.sections), kept.kept)
  }

  /// The objects at some positions of ``order``, and the positions in this store of the sections
  /// that are kept: those with objects, and the single untitled section of flat content.
  ///
  /// - Parameter positions: ascending.
  func keeping(_ positions: [UInt32]) -> (store: LocalStore, sections: [Int]) {
    let isFlat = sections.titles == [""]
    var offsets = [0]
    var kept: [Int] = []
    var next = 0
    for section in 0..<sections.count {
      let end = sections.offsets[section + 1]
      while next < positions.count, positions[next] < end { next += 1 }
      guard isFlat || next > (offsets.last ?? 0) else { continue }
      offsets.append(next)
      kept.append(section)
    }
    let rows = positions.map { UInt32(truncatingIfNeeded: order[Int($0)]) }
    let sections = Sections(offsets: offsets, titles: kept.map { self.sections.titles[$0] })
    return (with(.rows(rows), sections), kept)
  }
}

extension LocalStore {
  /// The same rows in another order and in other sections; the input remains the order from which
  /// they were sorted and split first.
  func with(_ order: RowOrder, _ sections: Sections, input: RowOrder? = nil) -> LocalStore {
    let origin =
      input == nil && self.origin.input == nil
      ? self.origin
      : Origin(
        input: input ?? self.origin.input, copied: self.origin.copied, isPart: self.origin.isPart)
    return LocalStore(table: table, order: order, sections: sections, origin)
  }

  /// Reads all objects of another store.
  ///
  /// - Throws: `TableError.limit` for more objects than ``RequestContext/copyLimit``.
  package init(
    copying store: any SnapshotStore, isPart: Bool = false, _ context: RequestContext
  ) async throws {
    if let local = store.local {
      self = local
      return
    }
    if let limit = context.copyLimit, store.numberOfObjects > limit {
      throw TableError.limit(
        "\(store.numberOfObjects.grouped) objects would be read, more than \(limit.grouped)",
        setting: "option limit \(store.numberOfObjects)", at: nil)
    }
    let table = try await store.copiedTable(context)
    var offsets = [0]
    for section in 0..<store.numberOfSections {
      offsets.append(offsets[section] + store.numberOfObjects(in: section))
    }
    let titles = try await store.titles(of: 0..<store.numberOfSections)
    self.init(
      table: table, order: .natural(table.count),
      sections: Sections(offsets: offsets, titles: titles),
      Origin(input: nil, copied: store, isPart: isPart))
  }

  /// The same content; without objects, over a table without rows, in which no key is unknown.
  var acceptingAnyKey: LocalStore {
    guard order.count == 0 else { return self }
    return LocalStore(
      table: tableOfObjects, order: .natural(0), sections: sections,
      Origin(input: nil, copied: origin.copied, isPart: origin.isPart))
  }

  /// The table, or one without rows if no row is an object.
  private var tableOfObjects: any Table {
    order.count == 0 ? ValueTable([], keys: table.keys) : table
  }

  /// The same content as the input of a request for new sections: positions refer to its rows,
  /// wherever these come from.
  var asInput: LocalStore {
    guard origin.isPart else { return self }
    return LocalStore(
      table: table, order: order, sections: sections,
      Origin(input: origin.input, copied: origin.copied))
  }
}
