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
      try await keepTitles(context.cancellation)
      if trackedKeys == nil { trackedKeys = try await keysInOrder(context.cancellation) }
      return trackedKeys != nil
    } catch {
      throw SourceError(error)
    }
  }

  public func changes(
    to other: any SnapshotStore, id: ObjectKeyPath?, movesSections: Bool, _ context: RequestContext
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
      let old = keys.positions(of: difference.deleted + changed)
      let newPositions: [Int64: Int]
      if difference.inserted.count + changed.count <= Self.maxLocated {
        let kept = try await new.keptInPlace(changed, at: old, in: keys, self, context.cancellation)
        let located = try await new.positions(
          of: difference.inserted + changed.filter { !kept.contains($0) }, context.cancellation)
        guard
          let newKeys = keys.replacing(
            old.filter { !kept.contains($0.key) }.values, by: located,
            count: new.numberOfObjects)
        else { return nil }
        new.trackedKeys = newKeys
        newPositions = located.merging(newKeys.positions(of: Array(kept))) { $1 }
      } else {
        guard let keys = try await new.keysInOrder(context.cancellation) else { return nil }
        new.trackedKeys = keys
        newPositions = keys.positions(of: difference.inserted + changed)
      }
      try await new.keepTitles(context.cancellation)
      let touched = difference.deleted + difference.changed + difference.inserted
      let rows = touched.map { SparseChanges.Row(old: old[$0], new: newPositions[$0]) }
      return SparseChanges(
        old: sections, new: new.sections, rows: rows.filter { $0.old != nil || $0.new != nil }
      )?.changes(movesSections: movesSections)
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
    case .paged(let pages): return !pages.isWindow
    case .runs: return false
    }
  }

  /// Whether another state of the table is shown in the same way.
  private func hasSameRequest(as other: TableStore) -> Bool {
    guard table.database === other.table.database, table.schema.name == other.table.schema.name,
      table.schema.columns == other.table.schema.columns, other.canTrack,
      text(of: selection) == text(of: other.selection)
    else { return false }
    if case .whole = layout, case .whole = other.layout { return true }
    guard let key = layout.key, let otherKey = other.layout.key else { return false }
    return key.sql.shown == otherKey.sql.shown
  }

  /// Reads all titles into memory: those of an old state may no longer be readable.
  private func keepTitles(_ cancellation: Cancellation) async throws {
    if case .paged(let pages) = layout { try await pages.titles.keepAll(cancellation) }
  }

  private func text(of selection: RowSelection) -> String {
    table.database.text(
      of: "\(selection.rows()) ORDER BY \(selection.order.clause(table.dialect))")
  }

  /// The keys of the objects, section by section.
  private func keysInOrder(_ cancellation: Cancellation) async throws -> KeyOrder? {
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
    return KeyOrder(sections.flatMap { $0 })
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
      positions[key] = position(of: path)
    }
    return positions
  }
}
