package import DataTables

/// Rows that are passed to a database in batches.
package actor Batches {
  private var rest: [[[Value]]]

  package init(_ batches: [[[Value]]]) { rest = batches }

  /// The next rows; empty at the end.
  package func next() -> [[Value]] { rest.isEmpty ? [] : rest.removeFirst() }
}
