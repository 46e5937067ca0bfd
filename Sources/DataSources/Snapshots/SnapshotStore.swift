public import DataTables

/// The storage of a snapshot's sections and objects: rows in memory or in a file (``LocalStore``),
/// or the pages of a database.
public protocol SnapshotStore: Sendable {
  var numberOfSections: Int { get }
  var numberOfObjects: Int { get }
  /// The keys of the records, in order; empty when the objects are not records.
  var keys: [String] { get }
  /// Whether some objects are not records.
  var hasOtherObjects: Bool { get }

  /// - Precondition: `section` is in `0..<numberOfSections`.
  func numberOfObjects(in section: Int) -> Int
  /// The titles of a range of sections.
  func titles(of sections: Range<Int>) async throws -> [Value]
  /// A range of a section's objects.
  func objects(in section: Int, rows: Range<Int>) async throws -> [Value]
  /// The index path of the first object, in the order of sections and rows, that has these values
  /// under these keys (null matches a missing key); nil without one.
  func indexPath(matching values: Record) async throws -> IndexPath?
  /// The index path of the first object equal to `object`; nil without one.
  func indexPath(of object: Value) async throws -> IndexPath?

  /// The same store if it can be read without waiting; nil otherwise.
  var local: LocalStore? { get }
}

extension SnapshotStore {
  public var hasOtherObjects: Bool { local?.table.hasOtherRows ?? false }

  /// The index path of the object at a position, counted over all sections; nil past the end.
  func indexPath(ofPosition position: Int) -> IndexPath? {
    var row = position
    for section in 0..<numberOfSections {
      let count = numberOfObjects(in: section)
      if row < count { return IndexPath(section: section, row: row) }
      row -= count
    }
    return nil
  }
}

/// A store that is read without waiting: rows of a table, in memory or in a file, with their order
/// and their sections.
public struct LocalStore: SnapshotStore {
  /// The rows and sections, without the indexes that find objects.
  let content: SectionedTable
  private let lookup: ObjectLookup

  /// - Precondition: `order` contains only rows of `table`, and the last offset of `sections` is
  ///   the number of rows in `order`.
  public init(table: any Table, order: RowOrder, sections: Sections) {
    content = SectionedTable(table: table, order: order, sections: sections)
    lookup = ObjectLookup(table: table, order: order)
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
  public var numberOfSections: Int { sections.count }
  public var numberOfObjects: Int { order.count }
  public var keys: [String] { table.keys }

  public func numberOfObjects(in section: Int) -> Int {
    sections.offsets[section + 1] - sections.offsets[section]
  }

  /// The row of the table at an index path.
  /// - Complexity: O(1).
  /// - Throws: ``SourceError/sectionOutOfRange(_:sections:)``,
  ///   ``SourceError/rowOutOfRange(_:rows:title:)``.
  public func row(at path: IndexPath) throws(SourceError) -> Int {
    guard path.section >= 0, path.section < sections.count else {
      throw .sectionOutOfRange(path.section, sections: sections.count)
    }
    let count = numberOfObjects(in: path.section)
    guard path.row >= 0, path.row < count else {
      throw .rowOutOfRange(path, rows: count, title: sections.titles[path.section])
    }
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
    switch order {
    case .natural(let count): row < count ? indexPath(ofPosition: row) : nil
    case .rows(let rows):
      rows.firstIndex { Int($0) == row }.map { indexPath(ofPosition: $0) }
    }
  }

  public func titles(of sections: Range<Int>) -> [Value] {
    Array(self.sections.titles[sections])
  }

  public func objects(in section: Int, rows: Range<Int>) throws -> [Value] {
    let start = sections.offsets[section]
    return try table.objects(at: rows.map { order[start + $0] })
  }

  public func indexPath(matching values: Record) throws -> IndexPath? {
    try lookup.position(matching: values).map(indexPath(ofPosition:))
  }

  public func indexPath(of object: Value) throws -> IndexPath? {
    try lookup.position(of: object).map(indexPath(ofPosition:))
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
    let isFlat = sections.titles == [""]
    let kept = try table.filtered(
      order, in: sections, by: predicate, keepsEmpty: keepsEmpty || isFlat,
      cancellation: cancellation)
    return (LocalStore(table: table, order: kept.order, sections: kept.sections), kept.kept)
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
    return (
      LocalStore(
        table: table, order: .rows(rows),
        sections: Sections(offsets: offsets, titles: kept.map { sections.titles[$0] })), kept
    )
  }
}
