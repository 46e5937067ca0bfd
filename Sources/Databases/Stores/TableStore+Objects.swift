public import DataSources
public import DataTables

// Reading objects.
extension TableStore {
  public func objects(in section: Int, rows: Range<Int>) async throws -> [Value] {
    try await pageRows(rows, of: section, table.database.interruption).map(\.object)
  }

  func pageRows(
    _ rows: Range<Int>, of section: Int, _ cancellation: Cancellation
  ) async throws -> [RowPages.Row] {
    do {
      let place = try await place(of: section)
      return try await pages.rows(
        rows, of: section, at: place, count: numberOfObjects(in: section), journal,
        cancellation
      ) { IndexPath(section: section, row: $0) }
    } catch {
      throw SourceError(error)
    }
  }

  private func place(of section: Int) async throws -> RowPages.Place {
    switch layout {
    case .grouped(let groups):
      let rows = groups.sections[section]
      return RowPages.Place(
        section: section, condition: groups.condition(section), start: rows.start,
        end: rows.start + rows.count, isWindow: groups.isWindow,
        fixedTerms: groups.fixedTerms(section, in: selection.order))
    case .paged(let pages):
      let title = try await pages.titles(of: section..<section + 1, table.database.interruption)
      let start = pages.start(of: section)
      return RowPages.Place(
        section: section, condition: pages.condition(title.first ?? .null), start: start,
        end: start + pages.numberOfObjects(in: section), isWindow: pages.isWindow, fixedTerms: 1)
    case .runs(let starts, _):
      var place = placeOfAll
      place.start += starts[section]
      return place
    case .whole: return placeOfAll
    }
  }

  /// Where the rows of all sections are, if these follow one another in the order of the rows.
  private var placeOfAll: RowPages.Place {
    var (start, isWindow) = (selection.offset, selection.isWindow)
    if case .paged(let pages) = layout { (start, isWindow) = (pages.leading, pages.isWindow) }
    return RowPages.Place(start: start, end: start + numberOfObjects, isWindow: isWindow)
  }

  /// Consecutive sections are read by one statement.
  public func objects(in ranges: [SectionRows]) async throws -> [Value] {
    guard ranges.count > 1, let first = ranges.first else {
      return try await separately(ranges)
    }
    guard let start = position(of: first) else {
      guard case .grouped(let groups) = layout, !groups.isWindow else {
        return try await separately(ranges)
      }
      return try await together(ranges, groups)
    }
    let count = ranges.reduce(0) { $0 + $1.rows.count }
    do {
      return try await pages.rows(
        start..<start + count, of: -1, at: placeOfAll, count: numberOfObjects, journal,
        table.database.interruption,
        path: path(of:)
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
      if !isWhole || members.count + section.members.count > StoreLimits.maxListed {
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

  /// The position of the first row of a range among all rows; nil if the sections do not follow one
  /// another there.
  private func position(of range: SectionRows) -> Int? {
    switch layout {
    case .whole: return nil
    case .grouped(let groups) where !groups.isContiguous || groups.isWindow: return nil
    case .grouped, .paged, .runs: return offsets[range.section] + range.rows.lowerBound
    }
  }

  /// The position of a row among all rows.
  func position(of path: IndexPath) -> Int {
    offsets[min(path.section, numberOfSections)] + path.row
  }

  /// The index path of a row at a position among all rows. The end of the rows is a place in the last
  /// section.
  /// - Complexity: O(log sections).
  func path(of position: Int) -> IndexPath {
    let section = offsets.section(of: position)
    return IndexPath(section: section, row: position - offsets[section])
  }
}
