/// The reason why bytes could not be read as a table, or why a request to a table failed. It states
/// facts; upper layers add the location in a script and the fix.
public enum TableError: Error, Equatable, Sendable {
  /// The bytes are not in the expected format.
  case format(String, at: TextPosition?)
  /// The bytes are not text in the encoding; `fitting` names an encoding that fits, if one does.
  case encoding(expected: String, offset: Int, fitting: String?)
  /// The byte at `offset` is not UTF-8, and the bytes do not decide between several encodings.
  case undecidedEncoding(offset: Int, fitting: [String])
  /// The byte at `offset` is not UTF-8, and no encoding reads the bytes, for a reason in one clause.
  case brokenEncoding(offset: Int, String)
  /// A limit was exceeded; `setting` is a label with a value that raises the limit
  /// (`maxDepth: 2048`), the label alone if the value that suffices is not known, or "" if no label
  /// raises the limit.
  case limit(String, setting: String, at: TextPosition?)
  /// The bytes changed after they were first read.
  case changed(String)
  /// A file could not be read, or memory ran out.
  case io(String)
  /// The program was started without the permission for what was asked.
  case denied(String)
  case unknownKey(String, known: [String])
  case badArgument(String)
  /// The text of a table has no place for a value of an edited row, for a reason in one clause.
  case noColumn(String)
  /// The format does not support an option; `message` names those that it supports.
  case unsupportedOption(name: String, message: String)
  /// A section title repeats after other titles; `row` is the position, from 0, of the repeating
  /// row among the sorted rows.
  case sortMismatch(row: Int, title: Value)
  case cancelled
}

/// A position in a text. Lines and columns are counted from 1. In data, columns are counted in
/// bytes.
public struct TextPosition: Equatable, Sendable {
  public var line: Int
  /// nil if only the line is known.
  public var column: Int?
  public init(line: Int, column: Int? = nil) {
    self.line = line
    self.column = column
  }

  /// `line 2, column 5`
  package var phrase: String { "line \(line)" + (column.map { ", column \($0)" } ?? "") }
}
