/// What a load found, for the line that is shown after it, `describe` and `rejects`.
public struct LoadReport: Sendable {
  /// As shown: `CSV`, `CSV with ';'`, `NDJSON`.
  public var format: String
  /// As shown: `UTF-8`, `UTF-8 with BOM`, `UTF-16LE`.
  public var encoding: String
  /// As shown when it is worth telling: `CRLF`, `CR`; nil for LF.
  public var lineEnds: String?
  public var rows: Int
  public var columns: [ColumnReport]
  /// The first ones, at most ``mostRejects``; `rejected` counts all.
  public var rejects: [Reject] = []
  public var rejected = 0
  /// Rows with fewer fields than keys, padded with nulls.
  public var padded: Padded?
  /// Other facts a person should know, one line each: `2 comment lines left out`.
  public var notes: [String] = []

  public static let mostRejects = 10_000

  public init(
    format: String, encoding: String = "UTF-8", lineEnds: String? = nil, rows: Int,
    columns: [ColumnReport] = []
  ) {
    self.format = format
    self.encoding = encoding
    self.lineEnds = lineEnds
    self.rows = rows
    self.columns = columns
  }

  public struct Padded: Sendable {
    public var count: Int
    /// The line of the first one.
    public var line: Int
    public var fields: Int
  }
}

/// A row that could not be taken.
public struct Reject: Sendable {
  /// Where it begins.
  public var line: Int
  /// Byte offset in the file.
  public var offset: Int
  /// Where in the row it went wrong, in bytes from 1.
  public var column: Int
  /// `has 6 fields of 7`, `has an unclosed quote`.
  public var reason: String
  /// The row as it stands in the file, at most 200 characters.
  public var text: String
}
