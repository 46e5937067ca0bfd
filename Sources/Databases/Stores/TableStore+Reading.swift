public import DataSources
public import DataTables

// Objects, and the index paths of objects.
extension TableStore {
  public func objects(in section: Int, rows: Range<Int>) async throws -> [Value] {
    try await pageRows(rows, of: section, table.database.interruption).map(\.object)
  }

  private func pageRows(
    _ rows: Range<Int>, of section: Int, _ cancellation: Cancellation
  ) async throws -> [RowPages.Row] {
    let place = place(of: section)
    do {
      return try await pages.rows(
        rows, of: section, at: place, count: numberOfObjects(in: section), journal, cancellation
      ) { IndexPath(section: section, row: $0) }
    } catch {
      throw SourceError(error)
    }
  }

  private func place(of section: Int) -> RowPages.Place {
    switch layout {
    case .whole: RowPages.Place(start: selection.offset)
    case .grouped(let groups):
      RowPages.Place(
        condition: groups.condition(section), start: groups.sections[section].start,
        fixedTerms: groups.fixedTerms(section, in: selection.order))
    case .runs(let starts, _): RowPages.Place(start: selection.offset + starts[section])
    }
  }

  /// Consecutive sections are read by one statement.
  public func objects(in ranges: [SectionRows]) async throws -> [Value] {
    guard ranges.count > 1, let first = ranges.first else {
      return try await separately(ranges)
    }
    guard let start = flatPosition(of: first) else {
      guard case .grouped(let groups) = layout, !groups.isWindow else {
        return try await separately(ranges)
      }
      return try await together(ranges, groups)
    }
    let count = ranges.reduce(0) { $0 + $1.rows.count }
    do {
      return try await pages.rows(
        start..<start + count, of: -1, at: RowPages.Place(start: 0),
        count: selection.offset + numberOfObjects, journal, table.database.interruption,
        path: path(ofFlat:)
      ).map(\.object)
    } catch {
      throw SourceError(error)
    }
  }

  private func separately(_ ranges: [SectionRows]) async throws -> [Value] {
    var objects: [Value] = []
    for range in ranges {
      objects += try await self.objects(in: range.section, rows: range.rows)
    }
    return objects
  }

  /// The maximum number of values of a key that one statement lists.
  private static var maximumMembers: Int { 500 }

  /// Reads whole sections by the values of their key, as many by one statement as it can list.
  private func together(
    _ ranges: [SectionRows], _ groups: GroupedSections
  ) async throws -> [Value] {
    var objects: [Value] = []
    var sections: [Int] = []
    var members: [Value] = []
    for range in ranges {
      let section = groups.sections[range.section]
      let isWhole = range.rows == 0..<section.count
      if !isWhole || members.count + section.members.count > Self.maximumMembers {
        objects += try await rows(of: sections, with: members, groups)
        (sections, members) = ([], [])
      }
      if isWhole {
        sections.append(range.section)
        members += section.members
      } else {
        objects += try await self.objects(in: range.section, rows: range.rows)
      }
    }
    return objects + (try await rows(of: sections, with: members, groups))
  }

  private func rows(
    of sections: [Int], with members: [Value], _ groups: GroupedSections
  ) async throws -> [Value] {
    guard sections.count > 1 else {
      return try await separately(
        sections.map { SectionRows(section: $0, rows: 0..<groups.sections[$0].count) })
    }
    var found: [Int: [Value]] = [:]
    do {
      let rows = try await pages.rows(
        where: groups.condition(members: members), key: groups.key.sql, journal,
        table.database.interruption)
      if let first = sections.first, let last = sections.last {
        journal.add(
          PageRead(
            first: IndexPath(section: first, row: 0),
            last: IndexPath(section: last, row: max(0, groups.sections[last].count - 1)),
            objects: rows.count))
      }
      for (key, row) in rows {
        if let section = section(ofMember: key) { found[section, default: []].append(row.object) }
      }
      guard sections.allSatisfy({ found[$0]?.count ?? 0 == groups.sections[$0].count }) else {
        throw DatabaseError(.changed, "the table has changed since it was fetched")
      }
    } catch {
      throw SourceError(error)
    }
    return sections.flatMap { found[$0] ?? [] }
  }

  /// The position of the first row of a range in the order of all rows; nil if the sections do not
  /// follow one another there.
  private func flatPosition(of range: SectionRows) -> Int? {
    switch layout {
    case .whole: return nil
    case .runs(let starts, _):
      return selection.offset + starts[range.section] + range.rows.lowerBound
    case .grouped(let groups):
      guard groups.isContiguous, !groups.isWindow else { return nil }
      return groups.sections[..<range.section].reduce(range.rows.lowerBound) { $0 + $1.count }
    }
  }

  /// The index path of a row at a position in the order of all rows.
  private func path(ofFlat position: Int) -> IndexPath {
    let position = max(0, position - selection.offset)
    // The end of the rows is a place in the last section.
    return indexPath(ofPosition: position)
      ?? IndexPath(section: max(0, layout.count - 1), row: position)
  }

  public func identity(at path: IndexPath) async throws -> RowIdentity? {
    guard !selection.identity.isEmpty,
      let row = try await pageRows(
        path.row..<path.row + 1, of: path.section, table.database.interruption
      ).first
    else { return nil }
    return .key(row.terms.suffix(selection.identity.count), of: ObjectIdentifier(table))
  }

  public func indexPath(of identity: RowIdentity) async throws -> IndexPath? {
    guard case .key(let values, let table) = identity, table == ObjectIdentifier(self.table),
      values.count == selection.identity.count
    else { return nil }
    let conditions = selection.condition(forIdentity: values)
    return try await indexPath(where: conditions, self.table.database.interruption)
  }

  public func indexPath(
    matching values: Record, cancellation: Cancellation
  ) async throws -> IndexPath? {
    var parts: [Predicate] = []
    for (key, value) in zip(values.keys, values.values) {
      // Objects have no other keys, and null matches a missing key.
      guard keys.contains(key) else {
        if value.isNull { continue }
        return nil
      }
      parts.append(
        .comparison(
          try Predicate.Comparison(
            .key(ObjectKeyPath(key: key)), ComparisonOperator(.equal), .value(value))))
    }
    return try await indexPath(where: .and(parts), cancellation: cancellation)
  }

  public func indexPath(
    of object: Value, cancellation: Cancellation
  ) async throws -> IndexPath? {
    guard case .record(let record) = object, Set(record.keys) == Set(keys) else { return nil }
    return try await indexPath(matching: record, cancellation: cancellation)
  }

  public func indexPath(
    where predicate: Predicate, cancellation: Cancellation
  ) async throws -> IndexPath? {
    try table.check(predicate.keyPaths)
    do {
      try await table.learn(predicate.keyPaths, cancellation: cancellation)
      let parts = PredicateTranslation(table).parts(of: predicate)
      if parts.rest == nil { return try await indexPath(where: parts.conditions, cancellation) }
      return try await firstIndexPath(satisfying: predicate, cancellation)
    } catch {
      throw SourceError(error)
    }
  }

  /// The index path of the first row that satisfies conditions.
  private func indexPath(
    where conditions: [SQL], _ cancellation: Cancellation
  ) async throws -> IndexPath? {
    do {
      switch layout {
      case .grouped(let groups) where !groups.isContiguous:
        return try await indexPath(in: groups, where: conditions, cancellation)
      default:
        guard let row = try await pages.first(1, where: conditions, journal, cancellation).first
        else { return nil }
        return try await indexPath(of: row, cancellation, matching: conditions)
      }
    } catch {
      throw SourceError(error)
    }
  }

  /// The first section with a row that satisfies the conditions, then the first such row in it.
  private func indexPath(
    in groups: GroupedSections, where conditions: [SQL], _ cancellation: Cancellation
  ) async throws -> IndexPath? {
    let members = try await table.rows(
      "SELECT \(groups.key.sql), count(*)\(selection.rows(where: conditions)) "
        + "GROUP BY \(groups.key.sql)",
      journal, cancellation)
    let sections = Set(members.compactMap { $0.first.flatMap(section(ofMember:)) }).sorted()
    for section in sections {
      let inSection = conditions + [groups.condition(section)]
      guard let row = try await pages.first(1, where: inSection, journal, cancellation).first
      else { continue }
      let before = try await table.count(
        selection.unlimited, where: before(row, in: groups, section), journal, cancellation)
      let group = groups.sections[section]
      if before >= group.start, before < group.start + group.count {
        return IndexPath(section: section, row: before - group.start)
      }
    }
    return nil
  }

  /// The rows of a section that sort before a row of it.
  private func before(_ row: RowPages.Row, in groups: GroupedSections, _ section: Int) -> [SQL] {
    let fixed = groups.fixedTerms(section, in: selection.order)
    return [groups.condition(section), selection.order.before(row.terms, fixed: fixed)]
  }

  /// The index path of a row whose terms are known.
  ///
  /// - Parameter conditions: if the row is left out by an offset, the next row that satisfies these
  ///   is sought.
  private func indexPath(
    of row: RowPages.Row, _ cancellation: Cancellation, matching conditions: [SQL]
  ) async throws -> IndexPath? {
    var row = row
    while true {
      if let path = try await indexPath(of: row, cancellation) { return path.visible }
      let next = conditions + [selection.order.after(row.terms)]
      guard let following = try await pages.first(1, where: next, journal, cancellation).first
      else { return nil }
      row = following
    }
  }

  private struct FoundRow {
    /// nil if the row is left out at the end.
    let visible: IndexPath?
  }

  /// nil if the row is left out at the start.
  private func indexPath(
    of row: RowPages.Row, _ cancellation: Cancellation
  ) async throws -> FoundRow? {
    let unlimited = selection.unlimited
    switch layout {
    case .whole(_, let count):
      let before = try await table.count(
        unlimited, where: [selection.order.before(row.terms)], journal, cancellation)
      if before < selection.offset { return nil }
      let position = before - selection.offset
      return FoundRow(visible: position < count ? IndexPath(section: 0, row: position) : nil)
    case .runs(let starts, _):
      let before = try await table.count(
        unlimited, where: [selection.order.before(row.terms)], journal, cancellation)
      if before < selection.offset { return nil }
      let position = before - selection.offset
      guard position < starts.last ?? 0 else { return FoundRow(visible: nil) }
      let section = (starts.firstIndex { $0 > position } ?? starts.count) - 1
      return FoundRow(
        visible: IndexPath(section: section, row: position - starts[section]))
    case .grouped(let groups):
      guard let member = try await member(of: row, in: groups, cancellation),
        let section = section(ofMember: member)
      else {
        return FoundRow(visible: nil)
      }
      let before = try await table.count(
        unlimited, where: before(row, in: groups, section), journal, cancellation)
      let group = groups.sections[section]
      if before < group.start { return nil }
      guard before < group.start + group.count else { return FoundRow(visible: nil) }
      return FoundRow(visible: IndexPath(section: section, row: before - group.start))
    }
  }

  /// The value of the key of the sections in a row; nil if the row does not exist.
  private func member(
    of row: RowPages.Row, in groups: GroupedSections, _ cancellation: Cancellation
  ) async throws -> Value? {
    if let term = selection.order.firstIndex(where: { $0.sql.shown == groups.key.sql.shown }) {
      return row.terms[term]
    }
    let identity = selection.condition(
      forIdentity: row.terms.suffix(selection.identity.count))
    return try await table.rows(
      "SELECT \(groups.key.sql)\(selection.unlimited.rows(where: identity))", journal, cancellation
    ).first?.first
  }

  /// Reads rows until one satisfies a predicate that the engine cannot evaluate.
  private func firstIndexPath(
    satisfying predicate: Predicate, _ cancellation: Cancellation
  ) async throws -> IndexPath? {
    for try await batch in Snapshot(self).batches() {
      try cancellation.check()
      if let offset = try batch.objects.firstIndex(where: predicate.holds(on:)) {
        return IndexPath(section: batch.start.section, row: batch.start.row + offset)
      }
    }
    return nil
  }
}

extension RowSelection {
  /// The same rows without the window.
  var unlimited: RowSelection {
    var all = self
    all.offset = 0
    all.limit = nil
    return all
  }
}
