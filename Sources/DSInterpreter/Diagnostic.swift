import DataSources

/// The kinds of errors, with the stable names that `expect throws`, JSON output and scripts use.
public enum ErrorKind: String, Sendable, CaseIterable {
  case syntax, unknownVerb, unknownName, unknownKey, badArgument, notFetched, outOfRange, notFound,
    format, encoding, io, network, httpStatus, timeout, cancelled, sortMismatch, conflict, changed,
    cassette, expectation, limit, denied, database
}

/// An error with its place: where, what, and how to mend it.
public struct Diagnostic: Error, Sendable {
  public var kind: ErrorKind
  /// One clause, the user's words in backticks: `foods has no key `nme``.
  public var message: String
  /// A near name, shown as `; did you mean `name`?`.
  public var suggestion: String?
  /// Further lines, shown indented under the picture: the two values of a failed `expect`.
  public var details: [String]
  public var place: SourcePlace?

  public init(
    _ kind: ErrorKind, _ message: String, suggestion: String? = nil, details: [String] = [],
    at place: SourcePlace? = nil
  ) {
    self.kind = kind
    // Words of the user, such as the path of `load`, may be a URL.
    self.message = message.redactingURLs
    self.suggestion = suggestion
    self.details = details
    self.place = place
  }
}

/// A span of a script's line, with the line itself, for the picture with the caret.
public struct SourcePlace: Hashable, Sendable {
  /// The script's path as it was named; nil at the prompt and for `-c`.
  public var file: String?
  /// From 1.
  public var line: Int
  /// From 1, in characters.
  public var column: Int
  /// In characters; at least 1.
  public var length: Int
  /// The whole line in which the span begins.
  public var text: String

  public init(file: String? = nil, line: Int, column: Int, length: Int = 1, text: String) {
    self.file = file
    self.line = line
    self.column = column
    self.length = length
    self.text = text
  }
}
