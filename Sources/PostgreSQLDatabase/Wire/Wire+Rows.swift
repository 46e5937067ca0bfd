import DataSources
import DataTables
import Databases

extension Wire {
  /// The rows of a statement; without columns for a statement that has no rows.
  /// - Throws: ``DatabaseError``, `TableError.cancelled`.
  func rows(_ statement: Statement, _ cancellation: Cancellation) throws -> RowSet {
    try send(statement)
    var rows = RowSet(columns: [], rows: [])
    while let result = try next(cancellation) {
      let types = result.types
      rows.columns = result.columns(types)
      result.appendRows(types, to: &rows.rows)
    }
    return rows
  }

  /// Runs statements of this module, and returns the rows of the last one that has some.
  func rows(script: String, _ cancellation: Cancellation) throws -> [[Value]] {
    try send(script: script)
    var rows: [[Value]] = []
    while let result = try next(cancellation) {
      let types = result.types
      if !types.isEmpty {
        rows = []
        result.appendRows(types, to: &rows)
      }
    }
    return rows
  }
}

/// Reads the rows of a statement in batches, as they arrive.
///
/// It is sent between tasks, but used only on the queue of its session.
final class RowStream: @unchecked Sendable {
  private let wire: Wire
  private var types: [ServerType] = []
  private var columns: [DatabaseColumn] = []
  private(set) var isAtEnd = false

  init(_ statement: Statement, on wire: Wire) throws {
    self.wire = wire
    try wire.send(statement, streams: true)
  }

  /// The next rows; fewer than `size` at the end.
  func next(_ size: Int, _ cancellation: Cancellation) throws -> RowSet {
    var rows: [[Value]] = []
    rows.reserveCapacity(size)
    while rows.count < size {
      if cancellation.isCancelled {
        try stop()
        throw TableError.cancelled
      }
      guard let result = try take(cancellation) else { break }
      if columns.isEmpty {
        types = result.types
        columns = result.columns(types)
      }
      result.appendRows(types, to: &rows)
    }
    return RowSet(columns: columns, rows: rows)
  }

  private func take(_ cancellation: Cancellation) throws -> WireResult? {
    do {
      if let result = try wire.next(cancellation) { return result }
      isAtEnd = true
      return nil
    } catch {
      isAtEnd = true
      throw error
    }
  }

  /// Ends the statement, whose transaction goes on.
  func stop(on wire: Wire) {
    if !isAtEnd {
      try? stop()
      wire.recover()
    } else if !wire.isInTransaction {
      wire.recover()
    }
  }

  private func stop() throws {
    isAtEnd = true
    try wire.stop()
  }
}
