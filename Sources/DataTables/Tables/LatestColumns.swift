import Synchronization

/// The columns of the last of several tables with the same row numbers, each with more edits than the
/// one before: a column of the next table extends them by the values of the new edits.
final class LatestColumns: Sendable {
  private struct Entry {
    let column: KeyColumn
    /// The number of added objects that it has.
    let added: Int
    /// How often it was extended since it was made of the column of the base.
    let extensions: Int
  }

  private let entries = Mutex<[ObjectKeyPath: Entry]>([:])

  /// An extension of texts adds a block, and searches slow down with the number of blocks. So a column is
  /// made anew after as many extensions, and a sixteenth of the edits more.
  private static let maxExtensions = 64

  /// - Throws: see ``EditedColumn/column(cancellation:)``.
  /// - Complexity: O(rows). Over many edits, a key path is evaluated at most 17 times for each.
  func column(
    _ path: ObjectKeyPath, of table: EditedTable, cancellation: Cancellation
  ) throws -> KeyColumn {
    let count = table.added.count
    let latest = entries.withLock { $0[path] }
    let earlier = latest.flatMap { entry in
      entry.added <= count && entry.extensions < Self.maxExtensions + count / 16 ? entry : nil
    }
    let column = try EditedColumn(
      table, path, extending: earlier.map { .init(column: $0.column, added: $0.added) }
    ).column(cancellation: cancellation)
    let entry = Entry(
      column: column, added: count, extensions: earlier.map { $0.extensions + 1 } ?? 0)
    entries.withLock { entries in
      if entries[path]?.added ?? 0 <= count { entries[path] = entry }
    }
    return column
  }

  func release(_ paths: [ObjectKeyPath]) {
    entries.withLock { $0 = $0.filter { !paths.includeBase(of: $0.key) } }
  }
}
