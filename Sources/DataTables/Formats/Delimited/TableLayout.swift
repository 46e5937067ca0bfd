/// The dialect of a delimited text, and the place and shape of its table.
struct TableLayout: Sendable {
  enum Header: Sendable {
    /// The first row contains the keys.
    case line
    /// The first row contains the keys of all fields but the first, which are names of rows, as R
    /// writes them.
    case withoutRowNames
    /// The rest of a comment line contains the keys.
    case comment
    /// No row contains keys.
    case none
  }

  var dialect: Dialect
  /// The offset of the header, or of the first row if the table has none.
  var start = 0
  /// The number of comment lines before `start`.
  var comments = 0
  var header = Header.line
  /// Whether the line that is read as the header may be a row.
  var mayStartWithData = false
  /// The number of fields of a row; nil for that of the first row.
  var width: Int?
  var lineEnds: LineEndSample
  /// Whether the sample has a CR that is not part of a line end with LF.
  var hasLoneReturn = false
  /// The keys of lines without delimiters, whose rows begin at ``start``; nil for delimited text.
  var keys: [String]?
  /// The name of the format that is shown; nil for that of the delimiter.
  var formatName: String?
  /// An imperative that follows the error about a text that is mostly rejected.
  var advice: (@Sendable () -> String)?
  /// The choices that differ from a plain reading, for the load report.
  var notes: [String] = []
}
