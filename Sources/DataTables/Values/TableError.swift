/// Why bytes could not be read as a table, or a table could not answer. Facts only: the place in a
/// script, and what to type instead, are added above.
public enum TableError: Error, Equatable, Sendable {
  /// The bytes are not of the format.
  case format(String, at: TextPosition?)
  /// The bytes are not text in the encoding; `fitting` is one in which they are.
  case encoding(expected: String, offset: Int, fitting: String?)
  /// A limit was met; `setting` is the label that raises it.
  case limit(String, setting: String, at: TextPosition?)
  /// The bytes changed after they were first read.
  case changed(String)
  case io(String)
  case unknownKey(String, known: [String])
  case badArgument(String)
  /// A section title comes again; `row` is counted in the sorted rows, from 0.
  case sortMismatch(row: Int, title: Value)
  case cancelled
}

/// A place in a text. Lines and columns count from 1, columns in bytes for data.
public struct TextPosition: Equatable, Sendable {
  public var line: Int
  public var column: Int
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}
