public import DataSources
public import DataTables

// Changes between two states of a table, without reading its objects.
extension TableStore {
  /// More rows than this are located by reading the keys of all rows in order.
  private static let maxLocated = 500

  public func prepareForChanges(_ context: RequestContext) async throws -> Bool {
    guard numberOfObjects >= context.minTracked else { return false }
    do {
      guard canTrack, try await table.digest(context.cancellation) != nil else { return false }
      if trackedKeys == nil { trackedKeys = try await keysInOrder(context.cancellation) }
      return trackedKeys != nil
    } catch {
      throw SourceError(error)
    }
  }

  public func changes(
    to other: any SnapshotStore, id: ObjectKeyPath?, _ context: RequestContext
  ) async throws -> [Change]? {
    guard let keys = trackedKeys, let new = other as? TableStore, hasSameRequest(as: new),
      let column = table.numericKey, id == ObjectKeyPath(key: column.name)
    else { return nil }
    do {
      guard let before = table.knownDigest,
        let after = try await new.table.digest(context.cancellation)
      else { return nil }
      let difference = before.difference(to: after)
      let changed = difference.changed
      let old = Self.positions(of: difference.deleted + changed, in: keys)
      let newPositions: [Int64: Int]
      if difference.inserted.count + changed.count <= Self.maxLocated {
        let kept = try await new.keptInPlace(changed, at: old, in: keys, self, context.cancellation)
        let located = try await new.positions(
          of: difference.inserted + changed.filter { !kept.contains($0) }, context.cancellation)
        guard
          let newKeys = Self.replacing(
            old.filter { !kept.contains($0.key) }, by: located, in: keys,
            count: new.numberOfObjects)
        else { return nil }
        new.trackedKeys = newKeys
        newPositions = located.merging(Self.positions(of: Array(kept), in: newKeys)) { $1 }
      } else {
        guard let keys = try await new.keysInOrder(context.cancellation) else { return nil }
        new.trackedKeys = keys
        newPositions = Self.positions(of: difference.inserted + changed, in: keys)
      }
      let touched = difference.deleted + difference.changed + difference.inserted
      let rows = touched.map { SparseChanges.Row(old: old[$0], new: newPositions[$0]) }
      return SparseChanges(
        old: sections, new: new.sections, rows: rows.filter { $0.old != nil || $0.new != nil }
      )?.changes()
    } catch {
      throw SourceError(error)
    }
  }

  public func trackedKey(at path: IndexPath) -> Record? {
    guard let keys = trackedKeys, let column = table.numericKey else { return nil }
    return Record([(column.name, .integer(Int(keys[position(of: path)])))])
  }

  /// Whether each row has one place, which its key identifies.
  private var canTrack: Bool {
    guard table.numericKey != nil, !selection.isWindow else { return false }
    switch layout {
    case .whole: return true
    case .grouped(let groups): return !groups.isWindow
    case .runs: return false
    }
  }

  /// Whether another state of the table is shown in the same way.
  private func hasSameRequest(as other: TableStore) -> Bool {
    guard table.database === other.table.database, table.schema.name == other.table.schema.name,
      table.schema.columns == other.table.schema.columns, other.canTrack,
      text(of: selection) == text(of: other.selection)
    else { return false }
    switch (layout, other.layout) {
    case (.whole, .whole): return true
    case (.grouped(let old), .grouped(let new)): return old.key.sql.shown == new.key.sql.shown
    default: return false
    }
  }

  private func text(of selection: RowSelection) -> String {
    table.database.text(
      of: "\(selection.rows()) ORDER BY \(selection.order.clause(table.dialect))")
  }

  /// The keys of the objects, section by section.
  private func keysInOrder(_ cancellation: Cancellation) async throws -> [Int64]? {
    guard let column = table.numericKey else { return nil }
    let key = SQL(table.dialect.name(column.name))
    var groups: GroupedSections?
    if case .grouped(let grouped) = layout { groups = grouped }
    let member = groups.map { groups -> SQL in ", \(groups.key.sql)" } ?? ""
    let statement: SQL = """
      SELECT \(key)\(member)\(selection.rows()) \
      ORDER BY \(selection.order.clause(table.dialect))
      """
    let rows = try await table.rows(statement, journal, cancellation)
    var sections = [[Int64]](repeating: [], count: numberOfSections)
    for row in rows {
      let section = groups == nil ? 0 : self.section(ofMember: row[1])
      guard let section, case .integer(let key) = row[0] else { return nil }
      sections[section].append(Int64(key))
    }
    return sections.flatMap { $0 }
  }

  /// The changed rows that are in their old sections, between the same unchanged rows. Their values are
  /// compared with those of these neighbors.
  ///
  /// - Parameters:
  ///   - old: the positions of the changed and deleted rows in `keys`.
  ///   - before: the store whose objects have `keys`.
  private func keptInPlace(
    _ changed: [Int64], at old: [Int64: Int], in keys: [Int64], _ before: TableStore,
    _ cancellation: Cancellation
  ) async throws -> Set<Int64> {
    guard table.dialect.ordersTextsByBytes else { return [] }
    let touched = Set(old.values)
    var neighbors: [Int64: (before: Int64?, after: Int64?)] = [:]
    for key in changed {
      guard let position = old[key] else { continue }
      let section = before.sections.section(of: position)
      let range = before.sections.offsets[section]..<before.sections.offsets[section + 1]
      // Neighbors that have changed themselves would have to be compared with each other.
      let (last, next) = (position - 1, position + 1)
      guard !touched.contains(last), !touched.contains(next) else { continue }
      neighbors[key] = (
        range.contains(last) ? keys[last] : nil, range.contains(next) ? keys[next] : nil
      )
    }
    let wanted = neighbors.flatMap { [$0.key, $0.value.before, $0.value.after].compactMap { $0 } }
    let places = try await self.places(of: Set(wanted).sorted(), cancellation)
    return Set(
      neighbors.compactMap { key, neighbors in
        guard let place = places[key], let position = old[key] else { return nil }
        let title = before.layout.title(of: before.sections.section(of: position))
        guard layout.title(of: place.section) == title else { return nil }
        for (neighbor, isBefore) in [(neighbors.before, true), (neighbors.after, false)] {
          guard let neighbor else { continue }
          guard let other = places[neighbor], other.section == place.section,
            let order = selection.order.compare(other.terms, place.terms),
            order == (isBefore ? .before : .after)
          else { return nil }
        }
        return key
      })
  }

  /// The section of a row and the values of the terms of the order.
  private struct Place {
    let section: Int
    let terms: [Value]
  }

  /// The places of the rows with some keys, as far as this store has them.
  private func places(
    of keys: [Int64], _ cancellation: Cancellation
  ) async throws -> [Int64: Place] {
    guard let column = table.numericKey, !keys.isEmpty else { return [:] }
    let key = SQL(table.dialect.name(column.name))
    var member: SQL = "NULL"
    if case .grouped(let groups) = layout { member = groups.key.sql }
    let terms = selection.order.map(\.sql)
    let list = keys.map { "\(value: .integer(Int($0)))" as SQL }.joined(separator: ", ")
    let rows = try await table.rows(
      """
      SELECT \(([key, member] + terms).joined(separator: ", "))\
      \(selection.rows(where: ["\(key) IN (\(list))"]))
      """, journal, cancellation)
    var places: [Int64: Place] = [:]
    for row in rows {
      guard case .integer(let key) = row[0] else { continue }
      if case .grouped = layout {
        guard let section = section(ofMember: row[1]) else { continue }
        places[Int64(key)] = Place(section: section, terms: Array(row.dropFirst(2)))
      } else {
        places[Int64(key)] = Place(section: 0, terms: Array(row.dropFirst(2)))
      }
    }
    return places
  }

  /// The positions over all sections of the rows with some keys, as far as this store has them.
  private func positions(
    of keys: [Int64], _ cancellation: Cancellation
  ) async throws -> [Int64: Int] {
    var positions: [Int64: Int] = [:]
    for key in keys {
      try cancellation.check()
      let identity = RowIdentity.key([.integer(Int(key))], of: ObjectIdentifier(table))
      guard let path = try await indexPath(of: identity) else { continue }
      positions[key] = sections.offsets[path.section] + path.row
    }
    return positions
  }

  /// - Complexity: O(all keys).
  private static func positions(of keys: [Int64], in all: [Int64]) -> [Int64: Int] {
    let wanted = Set(keys)
    var positions: [Int64: Int] = [:]
    for (position, key) in all.enumerated() where wanted.contains(key) { positions[key] = position }
    return positions
  }

  /// The keys in their order after some were removed and some got new positions; nil if they are not
  /// `count`.
  private static func replacing(
    _ removed: [Int64: Int], by added: [Int64: Int], in keys: [Int64], count: Int
  ) -> [Int64]? {
    let removed = Set(removed.values)
    let added = Dictionary(added.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    guard keys.count - removed.count + added.count == count else { return nil }
    var result: [Int64] = []
    result.reserveCapacity(count)
    for (position, key) in keys.enumerated() where !removed.contains(position) {
      while let key = added[result.count] { result.append(key) }
      result.append(key)
    }
    while let key = added[result.count] { result.append(key) }
    return result.count == count ? result : nil
  }
}
