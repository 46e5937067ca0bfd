package import DataSources

/// A transaction that is open in a session.
package struct OpenTransaction {
  /// The source whose data it may edit.
  package let source: any DataSource
  let edits: EditTransaction
  /// Whether a block ends it, rather than `commit` or `rollback`.
  let isBlock: Bool

  /// How to end the transaction, after the reason that requires it.
  var wayOut: String {
    isBlock ? "; write this line after the block of `edit`" : " (commit or rollback)"
  }

  /// How to edit a source that is not below that of the transaction; nil for one that is.
  func hint(editing other: any DataSource, in session: Session) -> String? {
    guard !source.wraps(other), let name = session.boundName(of: source),
      let otherName = session.boundName(of: other)
    else { return nil }
    let both = other.wraps(source) ? otherName : "(multi \(name) \(otherName) | fetch)"
    return isBlock
      ? "; `edit \(both) { … }` edits both"
      : "; after `commit` or `rollback`, `begin \(both)` edits both"
  }
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
