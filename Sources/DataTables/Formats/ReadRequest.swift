/// A request to read data: the options, what is needed in addition to the rows, and hints.
public struct ReadRequest: Sendable {
  public var options: ReadOptions
  /// Whether the report includes the column types: exact types for a small text, types estimated
  /// from a sample for a large text. If false, a text is read only as far as needed to locate the
  /// rows.
  public var reportsColumns = true
  /// Whether the data is a part of a source, such as a page, in which keys may be missing.
  public var isPart = false
  /// Key paths of values to read in addition to the rows (``LoadedTable/extraValues``).
  public var extraValues: [ObjectKeyPath] = []
  /// Keys whose columns will be accessed: the columns of a large text are decoded during the scan
  /// for rows, so that the text is read once. This is a hint that does not affect results.
  public var anticipatedKeys: [String] = []
  /// The path of the file whose bytes are read as they are, which a library may open; nil for other
  /// bytes, such as those of a response or of a compressed file.
  public var path: String?

  public init(options: ReadOptions = ReadOptions()) { self.options = options }
}
