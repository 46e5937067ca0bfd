import DataTables

/// A position in an order of rows from which an engine can go on without counting the rows before.
struct RowStart: Sendable {
  /// The number of rows up to and including the row with ``terms``.
  let position: Int
  /// The values of the terms of the order in the row before the position. The row at the position has
  /// others, so that no row is skipped with it.
  let terms: [Value]
}
