/// Rows of objects, with columns that are decoded when they are first touched.
///
/// A table is immutable: rows and columns answer the same at any time, from any thread.
public protocol Table: AnyObject, Sendable {
  /// The number of rows.
  var count: Int { get }

  /// The keys of the records in the order in which they first come; empty when the rows are not
  /// records.
  var keys: [String] { get }

  /// The objects at `rows`, in that order. Reads only what stands at these rows.
  /// - Precondition: every row is in `0..<count`.
  /// - Throws: ``TableError/changed(_:)`` when the file was changed since it was loaded.
  func objects(at rows: [Int]) throws -> [Value]

  /// The values of `path` over all rows; decoded once and kept.
  /// - Throws: ``TableError/unknownKey(_:known:)`` when no object has the key and there are objects.
  /// - Complexity: O(rows) the first time, O(1) after.
  func column(_ path: ObjectKeyPath, cancellation: Cancellation) throws -> KeyColumn
}

extension Table {
  public func object(at row: Int) throws -> Value { try objects(at: [row])[0] }
}
