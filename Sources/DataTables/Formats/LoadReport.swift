/// The findings of a load, for its summary, `describe` and `rejects`.
public struct LoadReport: Sendable {
  /// The name that is shown: `CSV`, `CSV with ';'`, `NDJSON`.
  public var format: String
  /// Whether the format supports ``ReadOption/types``.
  package var supportsTypes = false
  /// The name that is shown: `UTF-8`, `UTF-8 with BOM`, `UTF-16LE`.
  public var encoding: String
  /// The name that is shown: `CRLF`, `CR`; nil for LF, which is not shown.
  public var lineEnds: String?
  public var rows: Int
  public var columns: [ColumnReport]
  /// The first rejected rows, then the first cells that do not fit a requested type, at most
  /// ``maxRejects`` together; `rejected` and `misfits` count all.
  public var rejects: [Reject] = []
  /// The number of rejected rows.
  public var rejected = 0
  /// The number of cells that do not fit a requested type and are read as null.
  public var misfits = 0
  /// Rows with fewer fields than keys, padded with nulls.
  public var padded: Padded?
  /// The number of lines that continue the row before them.
  public var continued = 0
  /// Other notes for the user, one line each: `2 comment lines skipped`.
  public var notes: [String] = []
  /// Whether the rows are the elements of the whole document. If not, a document of the rows alone
  /// would lack the rest of it.
  package var rowsAreWhole = true
  /// The note on a `keyPath:` that does not exist in the document; nil if it exists.
  package var missingPath: String?

  public static let maxRejects = 10_000

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
    /// The line of the first padded row.
    public var line: Int
    /// The number of fields of the first padded row.
    public var fields: Int
  }
}

extension LoadReport {
  /// A report with the rejects and padded rows that a report on an earlier state of the file does not
  /// have. A reject is known by its offset, so those of a rewritten file are new if they moved. Padded
  /// rows are all counted if there are more of them.
  package func findings(beyond earlier: LoadReport) -> LoadReport {
    var report = self
    let known = Set(earlier.rejects.map(RejectPlace.init))
    report.rejects = rejects.filter { !known.contains(RejectPlace($0)) }
    let cells = report.rejects.count { $0.key != nil }
    // Only the first rejects are kept.
    report.misfits = max(misfits - earlier.misfits, cells)
    report.rejected = max(rejected - earlier.rejected, report.rejects.count - cells)
    // Continued rows are changes of their own.
    report.continued = 0
    if padded?.count ?? 0 <= earlier.padded?.count ?? 0 { report.padded = nil }
    return report
  }
}

/// The place of a reject in its file.
private struct RejectPlace: Hashable {
  let file: String?
  let offset: Int
  let column: Int
  let key: String?

  init(_ reject: Reject) {
    file = reject.file
    offset = reject.offset
    column = reject.column
    key = reject.key
  }
}

/// A row that was rejected, or a cell that does not fit a requested type.
public struct Reject: Sendable {
  /// The name of its file if several files were read; nil for one file.
  public var file: String?
  /// The line of its first byte, from 1.
  public var line: Int
  /// Byte offset in the file.
  public var offset: Int
  /// The position of the error in the row or of the cell in its line, in bytes from 1.
  public var column: Int
  /// The key of a cell; nil for a row.
  public var key: String?
  /// `has 8 fields for 7 keys`, `has an unclosed quote`, `is not an integer`.
  public var reason: String
  /// The row or cell as written in the file, at most 200 characters.
  public var text: String
}
