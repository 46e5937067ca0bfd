public import DataSources
public import DataTables

// All rows in memory, as columns.
extension TableStore {
  public func table(_ context: RequestContext) async throws -> (any Table)? {
    let names = table.schema.columns.map { SQL(table.dialect.name($0.name)) }
    do {
      let rows = try await columns(names, named: keys, context)
      guard case .rows = rows.order else { return rows.table }
      return ConcatenatedTable([ConcatenatedTable.Part(table: rows.table, order: rows.order)])
    } catch {
      throw SourceError(error)
    }
  }

  /// Some expressions of all rows, in the sections and the order of the rows.
  /// - Throws: ``DatabaseError``, `changed` if there are more or fewer rows than were counted.
  func columns(
    _ expressions: [SQL], named names: [String], _ context: RequestContext
  ) async throws -> LocalStore {
    var (expressions, keys) = (expressions, names)
    var window = SQL()
    if case .grouped(let groups) = layout {
      expressions.append(groups.key.sql)
      keys.append(Self.sectionKey(besides: names))
    } else if case .paged(let pages) = layout, pages.isWindow {
      window = " \(table.dialect.limit(pages.numberOfObjects, offset: pages.leading))"
    } else if selection.isWindow {
      window = " \(table.dialect.limit(selection.limit, offset: selection.offset))"
    }
    let statement: SQL = """
      SELECT \(expressions.joined(separator: ", "))\(selection.rows()) \
      ORDER BY \(selection.order.clause(table.dialect))\(window)
      """
    let phase = context.progress.begin(
      "reading \(numberOfObjects.grouped) objects", unit: .rows, total: numberOfObjects)
    defer { phase.end() }
    let read = try await table.snapshot.table(
      of: statement, keys: keys, cancellation: context.cancellation
    ) { phase.advance(by: $0) }
    journal.add(table.database.text(of: statement), rows: read.count)
    let columns = try keys.map {
      try read.column(ObjectKeyPath(key: $0), cancellation: context.cancellation)
    }
    let order =
      keys.count > names.count
      ? order(ofSections: columns[names.count], read.count)
      : .natural(read.count)
    guard let order, order.count == numberOfObjects else {
      throw DatabaseError(.changed, "the table has changed since it was fetched")
    }
    return LocalStore(
      table: ColumnTable(
        keys: names, columns: Array(columns.prefix(names.count)), count: read.count),
      order: order,
      sections: Sections(
        offsets: offsets, titles: try await titles(of: 0..<layout.count)))
  }

  private static func sectionKey(besides keys: [String]) -> String {
    var key = "dsshell_key"
    while keys.contains(key) { key += "_" }
    return key
  }

  /// The order in which rows follow one another section by section; nil if some are missing.
  ///
  /// - Parameter members: for each row, the value of the key of the sections.
  private func order(ofSections members: KeyColumn, _ count: Int) -> RowOrder? {
    guard case .grouped(let groups) = layout else { return nil }
    let section: (Int) -> Int?
    switch members {
    case .coded(let codes, let values):
      let known = values.map(self.section(ofMember:))
      section = { known[codes[$0]] }
    case .keyed: section = { self.section(ofMember: members.value(at: $0)) }
    }
    let end = offsets.last ?? 0
    // The next place of each section, and the number of its rows that are still left out.
    var places = offsets
    var skipped = groups.sections.map(\.start)
    var rows = [UInt32](repeating: .max, count: end)
    var found = 0
    for row in 0..<count {
      guard let section = section(row) else { continue }
      if skipped[section] > 0 {
        skipped[section] -= 1
      } else if places[section] < offsets[section + 1] {
        rows[places[section]] = UInt32(truncatingIfNeeded: row)
        places[section] += 1
        found += 1
      }
    }
    guard found == end else { return nil }
    let isNatural = end == count && zip(rows, 0...).allSatisfy { Int($0) == $1 }
    return isNatural ? .natural(count) : .rows(rows)
  }
}
