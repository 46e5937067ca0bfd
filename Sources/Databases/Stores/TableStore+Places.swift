import DataSources
import DataTables

// Changed rows that keep their places.
extension TableStore {
  /// The changed rows that are in their old sections, between the same unchanged rows. Their values are
  /// compared with those of these neighbors.
  ///
  /// - Parameters:
  ///   - old: the positions of the changed and deleted rows in `keys`.
  ///   - before: the store whose objects have `keys`.
  func keptInPlace(
    _ changed: [Int64], at old: [Int64: Int], in keys: KeyOrder, _ before: TableStore,
    _ cancellation: Cancellation
  ) async throws -> Set<Int64> {
    guard table.dialect.ordersTextsByBytes else { return [] }
    // The sections of rows are not known before their titles are compared.
    if case .paged = layout { return [] }
    if case .paged = before.layout { return [] }
    let touched = Set(old.values)
    let shape = before.sections
    var neighbors: [Int64: (before: Int64?, after: Int64?)] = [:]
    for key in changed {
      guard let position = old[key] else { continue }
      let section = shape.section(of: position)
      let range = shape.offsets[section]..<shape.offsets[section + 1]
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
        let title = before.layout.knownTitle(of: shape.section(of: position))
        guard layout.knownTitle(of: place.section) == title else { return nil }
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
  private struct KeyedRow {
    let section: Int
    let terms: [Value]
  }

  /// The places of the rows with some keys, as far as this store has them.
  private func places(
    of keys: [Int64], _ cancellation: Cancellation
  ) async throws -> [Int64: KeyedRow] {
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
    var places: [Int64: KeyedRow] = [:]
    for row in rows {
      guard case .integer(let key) = row[0] else { continue }
      if case .grouped = layout {
        guard let section = section(ofMember: row[1]) else { continue }
        places[Int64(key)] = KeyedRow(section: section, terms: Array(row.dropFirst(2)))
      } else {
        places[Int64(key)] = KeyedRow(section: 0, terms: Array(row.dropFirst(2)))
      }
    }
    return places
  }
}
