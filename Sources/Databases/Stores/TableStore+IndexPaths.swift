public import DataSources
public import DataTables

// The index paths of objects.
extension TableStore {
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
    guard numberOfObjects > 0 else { return nil }
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
      case .grouped(let groups) where !groups.isContiguous || groups.isWindow:
        return try await indexPath(in: groups, where: conditions, cancellation)
      default:
        guard let visible = try await condition(forSection: 0, cancellation),
          let row = try await pages.first(
            1, where: conditions + visible, journal, cancellation
          ).first
        else { return nil }
        return try await indexPath(of: row, cancellation)
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
      guard let visible = try await condition(forSection: section, cancellation) else { continue }
      let inSection = conditions + visible + [groups.condition(section)]
      guard let row = try await pages.first(1, where: inSection, journal, cancellation).first,
        let path = try await indexPath(of: row, in: groups, section, cancellation)
      else { continue }
      return path
    }
    return nil
  }

  /// The condition that leaves out the rows before the first one of a section of a window; nil if the
  /// section has no rows.
  private func condition(
    forSection section: Int, _ cancellation: Cancellation
  ) async throws -> [SQL]? {
    guard section < numberOfSections else { return nil }
    let leftOut =
      switch layout {
      case .whole, .runs: selection.offset
      case .grouped(let groups): groups.sections[section].start
      case .paged(let pages): pages.leading
      }
    guard leftOut > 0 else { return [] }
    guard numberOfObjects(in: section) > 0,
      let first = try await pageRows(0..<1, of: section, cancellation).first
    else { return nil }
    return [selection.order.notBefore(first.terms)]
  }
}
