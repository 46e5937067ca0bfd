/// Reads single rows of a JSON text, and goes on where the last one ended.
///
/// Sendable although unchecked: a ``ReaderPool`` gives it to one thread at a time.
final class JSONRowReader: @unchecked Sendable {
  /// Makes the objects of rows; they share their keys.
  var builder = JSONBuilder()
  private var keys = JSONKeys()
  /// In the group of rows that was read from last, before `next`.
  private var cursor: JSONCursor?
  private var group = 0..<0
  private var next = 0
  /// Whether the bytes in the window are known to be those of the store still.
  private var isChecked = false

  /// Rows may have any number of different keys.
  private static let mostKeys = 4_096

  /// To be called before the first row of each piece of work: the bytes may have changed since the
  /// last one.
  func begin() {
    isChecked = false
    if keys.names.count > Self.mostKeys {
      keys = JSONKeys()
      cursor = nil
    }
  }

  /// Calls `body` with a row, whose bytes stay where they are until it returns.
  func read<Result>(
    _ row: Int, of table: JSONTable, _ body: (JSONCursor.Row) throws -> Result
  ) throws -> Result {
    var cursor = try cursor(before: row, of: table)
    isChecked = true
    var found = try table.row(from: &cursor)
    while next < row {
      found = try table.row(from: &cursor)
      next += 1
    }
    next += 1
    let result = try body(found)
    self.cursor = consume cursor
    return result
  }

  /// A cursor that stands before the row or one of its group before it, which is `next`.
  private func cursor(before row: Int, of table: JSONTable) throws -> JSONCursor {
    if group.contains(row), row >= next, let kept = cursor.take() {
      if !isChecked { try table.store.checkUnchanged() }
      return kept
    }
    let place = table.index.group(of: row)
    group = place.rows
    next = group.lowerBound
    return table.cursor(over: place, keys: keys, cancellation: Cancellation())
  }
}
