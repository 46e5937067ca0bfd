public import DataTables

/// Receives the changes of a table that a server reports, from its creation on.
public protocol ChangeListener: AnyObject, Sendable {
  /// Readable when a change may have been reported.
  var descriptor: Int32 { get }

  /// Whether a change was reported since the last call. Does not wait.
  /// - Throws: ``DatabaseError`` when the connection broke.
  func takeChange() async throws -> Bool

  /// Whether the server still reports each change of the rows.
  func isReliable(cancellation: Cancellation) async throws -> Bool
}

/// Whether a server reports the changes of a table.
public enum ChangeListening: Sendable {
  case active(any ChangeListener)
  /// It does after these statements have run.
  case available([String])
  case unavailable
}
