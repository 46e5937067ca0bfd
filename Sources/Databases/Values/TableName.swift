public import DataTables

/// The name of a table or a view, with its schema if it has one.
///
/// The schema is what an engine puts before the table's name: an attached database of SQLite, a
/// schema of PostgreSQL, a database of ClickHouse.
public struct TableName: Hashable, Sendable, CustomStringConvertible {
  /// nil for the default schema of the connection.
  public var schema: String?
  public var name: String

  public init(_ name: String, schema: String? = nil) {
    self.schema = schema
    self.name = name
  }

  /// The name as it is shown: `people`, `sales.orders`.
  public var description: String { (schema.map { $0 + "." } ?? "") + name }
}

/// A table or a view, as `tables` lists it.
public struct TableSummary: Sendable {
  public var name: TableName
  public var isView: Bool
  /// The number of rows; nil if it is unknown.
  public var rows: Int?
  /// Whether ``rows`` is an estimate of the engine.
  public var isEstimate: Bool
  /// The columns of the primary key, in its order.
  public var primaryKey: [String]

  public init(
    name: TableName, isView: Bool = false, rows: Int? = nil, isEstimate: Bool = false,
    primaryKey: [String] = []
  ) {
    self.name = name
    self.isView = isView
    self.rows = rows
    self.isEstimate = isEstimate
    self.primaryKey = primaryKey
  }
}

/// The columns and the keys of a table.
public struct TableSchema: Sendable {
  public var name: TableName
  public var isView: Bool
  public var columns: [DatabaseColumn]
  /// The columns of the primary key, in its order; empty without one.
  public var primaryKey: [String]
  /// Expressions of SQL that together identify a row and order rows that are equal otherwise: the
  /// columns of the primary key, `rowid`, `ctid`; empty if nothing
  /// distinguishes the rows. They are never null.
  public var rowIdentity: [SQL]
  /// Expressions of SQL by which the engine stores the rows in order, so that it reads them fast in
  /// this order. Unlike ``rowIdentity``, several rows may have equal values, or nulls.
  public var sortingKey: [SQL]
  /// For each index of all rows, the expressions of SQL that it orders, up to the first one that is
  /// more than a column in the order of the engine.
  public var indexes: [[SQL]]

  public init(
    name: TableName, isView: Bool = false, columns: [DatabaseColumn], primaryKey: [String] = [],
    rowIdentity: [SQL] = [], sortingKey: [SQL] = [], indexes: [[SQL]] = []
  ) {
    self.name = name
    self.isView = isView
    self.columns = columns
    self.primaryKey = primaryKey
    self.rowIdentity = rowIdentity
    self.sortingKey = sortingKey
    self.indexes = indexes
  }

  public func column(_ name: String) -> DatabaseColumn? { columns.first { $0.name == name } }
}

/// A column of a table or of a result.
public struct DatabaseColumn: Sendable, Hashable {
  /// The kind of the values, by which they are converted and compared.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case bool, integer, real
    /// An exact decimal number.
    case decimal
    case text
    /// A date without a time.
    case date
    /// A date with a time and without a zone.
    case dateTime
    /// A point in time.
    case instant
    case data
    /// JSON, whose objects and arrays become records and arrays.
    case json
    /// An array, a tuple, an interval or another type, shown as the engine's text.
    case other
    /// Any value: a column of SQLite without a declared type.
    case any

    /// Whether no value is an array or a record, so that only derived keys apply to the values.
    var isScalar: Bool {
      switch self {
      case .json, .other, .any: false
      default: true
      }
    }
  }
  public var name: String
  /// The type as the engine names it; "" without one.
  public var declaredType: String
  public var kind: Kind
  public var isNullable: Bool
  /// The collation that the column declares; "" for the engine's default.
  public var collation = ""

  public init(name: String, declaredType: String, kind: Kind, isNullable: Bool = true) {
    self.name = name
    self.declaredType = declaredType
    self.kind = kind
    self.isNullable = isNullable
  }
}

/// Rows of a result. All rows have one value for each column.
public struct RowSet: Sendable {
  public var columns: [DatabaseColumn]
  public var rows: [[Value]]

  public init(columns: [DatabaseColumn], rows: [[Value]]) {
    self.columns = columns
    self.rows = rows
  }
}
