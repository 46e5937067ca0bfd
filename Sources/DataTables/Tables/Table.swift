/// Rows of objects, with columns that are decoded on first access.
///
/// A table is immutable: reads return the same values at any time, on any thread.
public protocol Table: AnyObject, Sendable {
  /// The number of rows.
  var count: Int { get }

  /// The keys of the records in the order of their first appearance; empty if the rows are not
  /// records.
  var keys: [String] { get }

  /// Whether every row is a record with all of ``keys`` and no others, so that the columns contain
  /// all of the data. A table that cannot determine this cheaply returns false, the default.
  var hasUniformRows: Bool { get }
  /// Whether there are rows that are not records.
  var hasOtherRows: Bool { get }

  /// The objects at `rows`, in that order. Reads only these rows.
  /// - Precondition: every row is in `0..<count`.
  /// - Throws: ``TableError/changed(_:)`` if the file has changed since it was loaded.
  func objects(at rows: [Int]) throws -> [Value]

  /// The object at one row.
  /// - Throws: the errors of ``objects(at:)``.
  func object(at row: Int) throws -> Value

  /// The values of `path` over all rows. They are decoded once and kept until ``release(_:)``.
  /// - Throws: ``TableError/unknownKey(_:known:)`` if there are objects and none has the key.
  /// - Complexity: O(rows) the first time, then O(1).
  func column(_ path: ObjectKeyPath, cancellation: Cancellation) throws -> KeyColumn

  /// The values of `path` over all rows if they are in memory; nil, the default, otherwise. Reads and
  /// decodes nothing.
  /// - Complexity: O(1).
  func decodedColumn(_ path: ObjectKeyPath) -> KeyColumn?

  /// Decodes the columns of several paths, together if that is cheaper than one after another.
  /// - Throws: the errors of ``column(_:cancellation:)``.
  func decode(_ paths: [ObjectKeyPath], cancellation: Cancellation) throws

  /// Releases the memory of columns, for a caller that accesses more columns than memory should
  /// hold. The next access decodes a column again. The default keeps the columns.
  func release(_ paths: [ObjectKeyPath])

  /// The type of the column of a key, determined from all rows.
  func report(on key: String, cancellation: Cancellation) throws -> ColumnReport

  /// The line, from 1, on which a row starts; nil for tables that were not read from text.
  /// - Complexity: O(bytes before the row).
  func line(of row: Int) throws -> Int?

  /// The byte that ends a line; nil for a table that was not read from lines, or if the end of a
  /// line cannot be recognized by one byte. The default is nil.
  var lineEnd: UInt8? { get }

  /// The columns whose type differs from the one estimated from the first rows, in the order in
  /// which they were decoded.
  var typeChanges: [TypeChange] { get }

  /// The table that this one continues; nil, the default, for tables that continue no other.
  var lineage: Lineage? { get }
}

/// A change of the type of a column after the load.
public struct TypeChange: Sendable, Equatable {
  public var key: String
  public var from: ColumnType
  public var to: ColumnType
  /// The reason, as in ``ColumnReport/evidence``.
  public var evidence: String?
}

extension Table {
  public func object(at row: Int) throws -> Value { try objects(at: [row])[0] }

  public func decode(_ paths: [ObjectKeyPath], cancellation: Cancellation) throws {
    for path in paths { _ = try column(path, cancellation: cancellation) }
  }

  public func decodedColumn(_ path: ObjectKeyPath) -> KeyColumn? { nil }

  public func release(_ paths: [ObjectKeyPath]) {}

  public var hasUniformRows: Bool { false }

  public var lineage: Lineage? { nil }

  public var hasOtherRows: Bool { false }

  public func line(of row: Int) throws -> Int? { nil }

  public var lineEnd: UInt8? { nil }

  public var typeChanges: [TypeChange] { [] }

  public func report(on key: String, cancellation: Cancellation) throws -> ColumnReport {
    let column = try column(ObjectKeyPath(key: key), cancellation: cancellation)
    return ColumnReport(key: key, type: column.type, isExact: true)
  }
}

/// The type of a column and the reason for it.
public struct ColumnReport: Sendable {
  public var key: String
  public var type: ColumnType
  /// The type as a database declares it; nil for other data.
  public var declaredType: String?
  /// Whether the type was determined from all rows, not from a sample.
  public var isExact: Bool
  /// The reason for a more general type: `212 values have leading zeros, first at line 3: 01234`.
  public var evidence: String?
  /// Another type that the values may have, which `describe` shows if `evidence` is nil.
  public var hint: String?
  /// The labels that `evidence` or `hint` suggests to read the values as another type.
  package var suggestion: SuggestedType?

  public init(
    key: String, type: ColumnType, isExact: Bool, evidence: String? = nil, hint: String? = nil
  ) {
    self.key = key
    self.type = type
    self.isExact = isExact
    self.evidence = evidence
    self.hint = hint
  }
}

extension Table {
  /// The values of a numeric column at some rows, as they are written.
  func values(
    of keyPath: ObjectKeyPath, column: NumericColumn, at rows: [Int], cancellation: Cancellation
  ) throws -> [Value] {
    // An integer has only one form. The text of other values is only in the objects.
    if column.kind == .integer { return rows.map { column.value(of: column.keys[$0]) } }
    var values: [Value] = []
    values.reserveCapacity(rows.count)
    for start in stride(from: 0, to: rows.count, by: 4_096) {
      try cancellation.check()
      let batch = Array(rows[start..<min(rows.count, start + 4_096)])
      for object in try objects(at: batch) { values.append(keyPath.evaluate(on: object)) }
    }
    return values
  }
}
