public import DataTables

/// A table in an order, cut into sections: everything is at hand, without waiting.
public struct LocalStore: SnapshotStore {
  public let table: any Table
  /// The rows of the table that are objects here, in their order.
  public let order: RowOrder
  public let sections: SectionCut
  private let lookup: ObjectLookup

  /// - Precondition: the rows of `order` are rows of `table`, and `sections` ends with them.
  public init(table: any Table, order: RowOrder, sections: SectionCut) {
    self.table = table
    self.order = order
    self.sections = sections
    lookup = ObjectLookup(table: table, order: order)
  }

  /// All rows of a table as one section.
  public init(table: any Table, title: Value = "") {
    self.init(
      table: table, order: .natural(table.count),
      sections: .whole(table.count, title: title))
  }

  public var local: LocalStore? { self }
  public var numberOfSections: Int { sections.count }
  public var numberOfObjects: Int { order.count }
  public var keys: [String] { table.keys }

  public func numberOfObjects(in section: Int) -> Int {
    sections.offsets[section + 1] - sections.offsets[section]
  }

  /// The row of the table that stands at a place.
  /// - Complexity: O(1), two array reads.
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

  /// - Throws: as ``row(at:)``; `changed` when the file was changed since it was loaded.
  public func object(at path: IndexPath) throws(SourceError) -> Value {
    let row = try row(at: path)
    do { return try table.object(at: row) } catch { throw SourceError(error) }
  }

  /// The place of a position in ``order``.
  public func indexPath(ofPosition position: Int) -> IndexPath {
    let section = sections.section(of: position)
    return IndexPath(section: section, row: position - sections.offsets[section])
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
}
