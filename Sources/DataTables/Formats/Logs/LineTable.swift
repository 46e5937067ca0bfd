/// Reads a text whose lines are rows with fields that have no delimiter.
struct LineTable {
  /// The format as it is shown.
  let formatName: String
  let fields: any LineFields
  var keys: [String]
  /// The offset of the first row.
  var start = 0
  var notes: [String] = []
  /// An imperative that follows the error about a text that is mostly rejected.
  var advice: (@Sendable () -> String)?
  var lineEnds = Dialect.LineEnds.lf

  /// - Parameter sample: of the text.
  /// - Throws: ``TableError``.
  func read(_ text: any ByteStore, _ sample: TextSample, _ input: FormatInput) throws -> LoadedTable
  {
    let dialect = Dialect(
      lines: fields, comment: input.options.commentPrefix, lineEnds: lineEnds)
    var layout = TableLayout(dialect: dialect, lineEnds: LineEndSample(sample, dialect: dialect))
    (layout.keys, layout.start, layout.header) = (keys, start, .none)
    (layout.formatName, layout.notes, layout.advice) = (formatName, notes, advice)
    return try DelimitedReader(text, request: input.request, layout: layout)
      .read(cancellation: input.cancellation)
  }
}
