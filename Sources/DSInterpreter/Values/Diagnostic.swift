package import DataSources
import DataTables

/// The kinds of errors, with the stable names that `expect throws`, JSON output and scripts use.
public enum ErrorKind: String, Sendable, CaseIterable {
  case syntax, unknownVerb, unknownName, unknownKey, badArgument, notFetched, outOfRange, notFound,
    format, encoding, io, network, httpStatus, timeout, cancelled, sortMismatch, conflict, changed,
    cassette, expectation, limit, denied, database, fault
}

/// An error in a script: its kind, its message with a fix, and its location.
public struct Diagnostic: Error, Sendable {
  public var kind: ErrorKind
  /// One clause, the user's words in backticks: `foods has no key `nme``.
  public var message: String
  /// A similar name, shown as `; did you mean `name`?`.
  public var suggestion: String?
  /// Further lines, shown indented below the line with the caret: the two values of a failed
  /// `expect`.
  public var details: [String]
  public var place: SourcePlace?

  public init(
    _ kind: ErrorKind, _ message: String, suggestion: String? = nil, details: [String] = [],
    at place: SourcePlace? = nil
  ) {
    self.kind = kind
    // Words of the user, such as the path of `load`, may be a URL with a password.
    self.message = message.redactingSecrets
    self.suggestion = suggestion
    self.details = details
    self.place = place
  }
}

/// A range of characters in a line of a script, with the text of the line to show above the caret.
public struct SourcePlace: Hashable, Sendable {
  /// The script's path as given by the user; nil at the prompt and for `-c`.
  public var file: String?
  /// From 1.
  public var line: Int
  /// From 1, in characters.
  public var column: Int
  /// In characters; at least 1.
  public var length: Int
  /// The whole line in which the span begins.
  public var text: String
  /// The lines before ``text``, with their line ends; ``text`` may continue a record that begins
  /// there.
  package var earlierLines = ""

  /// ``text`` without secrets, see ``RedactedLine``.
  package var redactedText: RedactedLine { RedactedLine(text, after: earlierLines) }

  public init(file: String? = nil, line: Int, column: Int, length: Int = 1, text: String) {
    self.file = file
    self.line = line
    self.column = column
    self.length = length
    self.text = text
  }
}

extension Diagnostic {
  /// Adds a line that names a call of a verb that a script defines, in which the error occurred. Names
  /// a call that repeats itself once, and only the innermost calls.
  mutating func add(call verb: String, at place: SourcePlace) {
    let limit = 8
    let calls = details.count { $0.hasPrefix(Self.callPrefix) }
    guard calls < limit else { return }
    let location =
      place.file.map { "at \($0):\(place.line):\(place.column)" } ?? "in line \(place.line)"
    let line =
      Self.callPrefix + (calls == limit - 1 ? "…" : "`\(verb)`, called \(location)")
    if details.last != line { details.append(line) }
  }

  private static let callPrefix = "in "

  /// Converts an error of a source or a table, which has no location; a diagnostic is not changed.
  package init(facts error: any Error) {
    switch error {
    case let diagnostic as Diagnostic: self = diagnostic
    default:
      let error = SourceError(error)
      self.init(error.kind, error.message, suggestion: error.suggestion)
    }
  }
}

extension SourceError {
  var kind: ErrorKind {
    switch self {
    case .notFetched: .notFetched
    case .sectionOutOfRange, .rowOutOfRange, .placeOutOfRange, .sectionPlaceOutOfRange:
      .outOfRange
    case .sectionOfChild, .placeInChild: .badArgument
    case .contentOutOfRange: .outOfRange
    case .earlierContent: .conflict
    case .indexTitleNotFound: .notFound
    case .conflict: .conflict
    case .fault: .fault
    case .database(let fault): fault.errorKind
    case .httpStatus: .httpStatus
    case .transport(let error, _): error.kind
    case .response(let error, _), .data(let error): error.kind
    }
  }
}

extension SourceError {
  /// A similar name, for a name that does not exist.
  var suggestion: String? {
    switch self {
    case .data(.unknownKey(let key, let known)): Suggestion.nearest(to: key, among: known)
    case .database(let error): error.suggestion
    default: nil
    }
  }
}

extension DatabaseError {
  fileprivate var errorKind: ErrorKind {
    switch kind {
    case .unknownDatabase, .unknownTable: .unknownName
    case .unknownColumn: .unknownKey
    case .denied, .refused: .denied
    case .changed: .changed
    case .exists: .conflict
    case .timeout: .timeout
    case .cancelled: .cancelled
    case .connection, .access, .engine: .database
    }
  }

  fileprivate var suggestion: String? {
    guard let name = unknownName else { return nil }
    let last = name.split(separator: ".").last.map { String($0) } ?? name
    let nearest =
      Suggestion.nearest(to: name, among: known) ?? Suggestion.nearest(to: last, among: known)
    // Some engines suggest a name themselves.
    let words = message.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    return nearest.flatMap { words.contains($0[...]) ? nil : $0 }
  }
}

extension TransportError {
  var kind: ErrorKind {
    switch self {
    case .badURL: .badArgument
    case .network: .network
    case .timeout: .timeout
    case .io: .io
    case .limit: .limit
    case .cassette: .cassette
    case .denied: .denied
    case .cancelled: .cancelled
    }
  }
}

extension TableError {
  var kind: ErrorKind {
    switch self {
    case .format: .format
    case .encoding, .undecidedEncoding, .brokenEncoding: .encoding
    case .limit: .limit
    case .changed: .changed
    case .io: .io
    case .denied: .denied
    case .unknownKey: .unknownKey
    case .badArgument, .noColumn, .unsupportedOption: .badArgument
    case .sortMismatch: .sortMismatch
    case .cancelled: .cancelled
    }
  }
}
