/// How bytes are read as a table; nil means: find out.
public struct ReadOptions: Hashable, Sendable {
  /// The name of a format (`csv`, `tsv`, `json`, `ndjson`).
  public var format: String?
  /// One byte.
  public var delimiter: UInt8?
  public var hasHeader = true
  /// The keys, for a file without a header line.
  public var keys: [String]?
  /// Lines that begin with this are left out.
  public var commentPrefix: String?
  public var encoding: String?
  /// Words that stand for null, besides the empty cell.
  public var nulls: [String] = []
  /// Types that were declared by key.
  public var types: [String: ColumnType] = [:]
  /// Whether a row that would be rejected fails the load.
  public var isStrict = false
  /// Whether the report tells of columns: exactly of those of a small text, from a sample of a large
  /// one. Without it no more is looked at than reading takes.
  public var reportsColumns = true
  public var limits = ReadLimits()
  /// Where in a document the rows are: nothing there gives no rows, one object gives one.
  public var keyPath: ObjectKeyPath?
  /// Values of the document that are wanted beside its rows (``LoadedTable/asides``).
  public var asides: [ObjectKeyPath] = []
  /// Keys whose columns are going to be asked for: a large text decodes them while it looks for its
  /// rows, so that it is read once. A hint; it changes nothing that is told.
  public var anticipatedKeys: [String] = []

  public init() {}
}

/// What protects a session from a file that is not what it seems.
public struct ReadLimits: Hashable, Sendable {
  /// Bytes in a row.
  public var row = 64 << 20
  /// Levels of nested arrays and records.
  public var depth = 512
  public init() {}
}
