import DataTables
import Synchronization

/// The facts about columns in the newest state of a database that was read. Those of a view or of
/// another server's table, which have no row identity, are not kept: their rows can change while the
/// state of the database stays the same.
public final class KnownFacts<State: Equatable & Sendable>: Sendable {
  private struct Key: Hashable {
    let table: TableName
    let column: String
  }

  private let known = Mutex((state: nil as State?, facts: [Key: ColumnFacts]()))

  public init() {}

  /// The facts about columns of a table.
  ///
  /// - Parameters:
  ///   - state: identifies the state that `scan` reads.
  ///   - scan: determines the facts that are not known.
  public func facts(
    of columns: [DatabaseColumn], in table: TableSchema, at state: State,
    scan: ([DatabaseColumn]) async throws -> [ColumnFacts]
  ) async throws -> [ColumnFacts] {
    if table.rowIdentity.isEmpty { return try await scan(columns) }
    func key(_ column: DatabaseColumn) -> Key { Key(table: table.name, column: column.name) }
    var facts = known.withLock { $0.state == state ? $0.facts : [:] }
    let unknown = columns.filter { facts[key($0)] == nil }
    if !unknown.isEmpty {
      for (column, found) in zip(unknown, try await scan(unknown)) { facts[key(column)] = found }
      let found = facts
      known.withLock { known in
        // The facts of older states are not needed again.
        if known.state != state { known = (state, [:]) }
        known.facts.merge(found) { $1 }
      }
    }
    return columns.map { facts[key($0)] ?? ColumnFacts() }
  }
}
