package import DataSources

/// A transaction that is open in a session.
package struct OpenTransaction {
  /// The source whose data it may edit.
  package let source: any DataSource
  let edits: EditTransaction
  /// Whether a block ends it, rather than `commit` or `rollback`.
  let isBlock: Bool
}

extension Session {
  /// Reverts the edits of a transaction that is still open at the end, and returns a warning about it;
  /// nil without one.
  mutating func endTransaction() -> String? {
    guard let open = transaction else { return nil }
    let subject = "the transaction of \(displayName(of: open.source))"
    // Its command reverts the edits of a block.
    if open.isBlock { return "\(subject) is rolled back: the session ends within its block" }
    transaction = nil
    open.edits.rollback()
    return "\(subject) was rolled back: `commit` is missing"
  }
}
