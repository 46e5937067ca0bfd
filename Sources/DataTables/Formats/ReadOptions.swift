/// How bytes are read as a table; nil properties are detected.
public struct ReadOptions: Hashable, Sendable {
  /// The name of a format (`csv`, `tsv`, `json`, `ndjson`).
  public var format: String?
  /// The delimiter of delimited text, a single byte.
  public var delimiter: UInt8?
  /// The quote of delimited text.
  public var quote: QuoteCharacter?
  /// The byte that makes the following byte of delimited text an ordinary character; nil for none.
  public var escape: UInt8?
  /// The number of lines before the table; nil to find the table.
  public var skippedLines: Int?
  /// Whether the first row of the table contains the keys; nil to detect that, or false if ``keys``
  /// are given.
  public var hasHeader: Bool?
  /// The keys, in place of those of the header.
  public var keys: [String]?
  /// Lines that start with this prefix are skipped.
  public var commentPrefix: String?
  public var encoding: String?
  /// Words that mean null, in addition to the empty cell.
  public var nulls: [String] = []
  /// Declared types, by key.
  public var types: [String: ColumnType] = [:]
  /// Whether the load fails instead of rejecting a row.
  public var isStrict = false
  /// Whether the report includes the column types: exact types for a small text, types estimated
  /// from a sample for a large text. If false, a text is read only as far as needed to locate the
  /// rows.
  public var reportsColumns = true
  public var limits = ReadLimits()
  /// The key path of the rows in a document. A missing value means no rows; a single object means
  /// one row.
  public var keyPath: ObjectKeyPath?
  /// Key paths of values to read in addition to the rows (``LoadedTable/extraValues``).
  public var extraValues: [ObjectKeyPath] = []
  /// Keys whose columns will be accessed: the columns of a large text are decoded during the scan
  /// for rows, so that the text is read once. This is a hint that does not affect results.
  public var anticipatedKeys: [String] = []

  public init() {}

  /// The names that ``encoding`` accepts.
  package static var encodings: [String] { TextEncoding.names }

  /// Whether ``encoding`` accepts `name`, ignoring case and punctuation.
  package static func isEncoding(_ name: String) -> Bool { TextEncoding(named: name) != nil }
}

/// The character that encloses fields of delimited text.
public enum QuoteCharacter: Hashable, Sendable {
  /// Fields are not enclosed, and all quotes are ordinary characters.
  case none
  /// An ASCII character.
  case character(UInt8)
}

/// Limits that protect a session from malformed or hostile files.
public struct ReadLimits: Hashable, Sendable {
  /// The maximum length of a row in bytes.
  public var row = 64 << 20
  /// The maximum number of levels of nested arrays and records.
  public var depth = 512
  public init() {}
}
