/// Rows of objects, with columns that are decoded when they are first touched.
///
/// A table is immutable: rows and columns answer the same at any time, from any thread.
public protocol Table: AnyObject, Sendable {
  /// The number of rows.
  var count: Int { get }

  /// The keys of the records in the order in which they first come; empty when the rows are not
  /// records.
  var keys: [String] { get }

  /// Whether every row is a record of all of ``keys`` and no others, so that the columns hold all of
  /// its data. A table that does not know returns false, the default.
  var hasUniformRows: Bool { get }
  /// Whether there are rows that are not records.
  var hasOtherRows: Bool { get }

  /// The objects at `rows`, in that order. Reads only what stands at these rows.
  /// - Precondition: every row is in `0..<count`.
  /// - Throws: ``TableError/changed(_:)`` when the file was changed since it was loaded.
  func objects(at rows: [Int]) throws -> [Value]

  /// The object at one row.
  /// - Throws: as ``objects(at:)`` does.
  func object(at row: Int) throws -> Value

  /// The values of `path` over all rows; decoded once and kept.
  /// - Throws: ``TableError/unknownKey(_:known:)`` when no object has the key and there are objects.
  /// - Complexity: O(rows) the first time, O(1) after.
  func column(_ path: ObjectKeyPath, cancellation: Cancellation) throws -> KeyColumn

  /// Decodes what several paths need, together where that is cheaper than one after another.
  /// - Throws: as ``column(_:cancellation:)`` does.
  func decode(_ paths: [ObjectKeyPath], cancellation: Cancellation) throws

  /// Lets columns go, for who has looked at more of them than memory should hold: the next who touches
  /// one has it decoded again. A table that cannot do so keeps them.
  func release(_ paths: [ObjectKeyPath])

  /// What is known of a key once all rows were looked at.
  func report(on key: String, cancellation: Cancellation) throws -> ColumnReport

  /// The line, from 1, of the text in which a row begins; nil for tables that were not read from
  /// text.
  /// - Complexity: O(bytes before the row).
  func line(of row: Int) throws -> Int?

  /// The columns that turned out to be of another type than the first rows had it, in the order in
  /// which they were decoded.
  var typeChanges: [TypeChange] { get }
}

/// A column that is not what it seemed to be at load.
public struct TypeChange: Sendable, Equatable {
  public var key: String
  public var from: ColumnType
  public var to: ColumnType
  /// As ``ColumnReport/evidence`` has it.
  public var evidence: String?
}

extension Table {
  public func object(at row: Int) throws -> Value { try objects(at: [row])[0] }

  public func decode(_ paths: [ObjectKeyPath], cancellation: Cancellation) throws {
    for path in paths { _ = try column(path, cancellation: cancellation) }
  }

  public func release(_ paths: [ObjectKeyPath]) {}

  public var hasUniformRows: Bool { false }

  public var hasOtherRows: Bool { false }

  public func line(of row: Int) throws -> Int? { nil }

  public var typeChanges: [TypeChange] { [] }

  public func report(on key: String, cancellation: Cancellation) throws -> ColumnReport {
    let column = try column(ObjectKeyPath(key: key), cancellation: cancellation)
    return ColumnReport(key: key, type: column.type, isExact: true)
  }
}

/// What is known of a column at load.
public struct ColumnReport: Sendable {
  public var key: String
  public var type: ColumnType
  /// Whether all rows were looked at, and not a sample.
  public var isExact: Bool
  /// Why the type is less than it might be: `212 values have leading zeros, first at line 3: 01234`.
  public var evidence: String?

  public init(key: String, type: ColumnType, isExact: Bool, evidence: String? = nil) {
    self.key = key
    self.type = type
    self.isExact = isExact
    self.evidence = evidence
  }
}

extension Table {
  /// The values of a numeric column as they are written.
  func values(
    of keyPath: ObjectKeyPath, column: NumericColumn, at rows: [Int], cancellation: Cancellation
  ) throws -> [Value] {
    // An integer has one form only. Of the others the key does not tell the text; the objects do.
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
