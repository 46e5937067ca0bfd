package import DataSources

/// A transaction that is open in a session.
package struct OpenTransaction {
  /// The source whose data it may edit.
  package let source: any DataSource
  let edits: EditTransaction
  /// Whether a block ends it, rather than `commit` or `rollback`.
  let isBlock: Bool
}
