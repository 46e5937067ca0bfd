public import DataSources
public import DataTables

// Changes between two states of a table, without reading its objects.
extension TableStore {
  /// More rows than this are located by reading the keys of all rows in order.
  private static let maxLocated = 500
  /// Fewer objects than this are copied, because that is quick and keeps the deleted ones.
  private static let minTracked = 20_000

  public func prepareForChanges(_ context: RequestContext) async throws -> Bool {
    guard numberOfObjects >= Self.minTracked else { return false }
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
      let old = Self.positions(of: difference.deleted + difference.changed, in: keys)
      let located = difference.inserted + difference.changed
      let newPositions: [Int64: Int]
      if located.count <= Self.maxLocated {
        newPositions = try await new.positions(of: located, context.cancellation)
        new.trackedKeys = Self.replacing(
          old, by: newPositions, in: keys, count: new.numberOfObjects)
      } else {
        guard let keys = try await new.keysInOrder(context.cancellation) else { return nil }
        new.trackedKeys = keys
        newPositions = Self.positions(of: located, in: keys)
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

  public func trackedKey(at path: IndexPath) -> Value? {
    trackedKeys.map { .integer(Int($0[sections.offsets[path.section] + path.row])) }
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
