public import DSInterpreter
internal import DisplayText

/// A way to show outputs: `table`, `json`, `csv`. ``Styles/all`` lists them.
public protocol Style: Sendable {
  static var name: String { get }
  /// One line for help.
  static var summary: String { get }
  /// Whether all rows are written, whatever the limit: the style is for programs.
  static var isComplete: Bool { get }
  init()

  /// The text before the first output of a run and the text after the last one, for a document; both
  /// are empty for most styles.
  var beginning: String { get }
  var end: String { get }

  /// Writes `output` in chunks; the last one ends with a line end.
  ///
  /// Objects are read in batches while they are written, so memory does not grow with their number.
  /// - Throws: the errors of `write`, which end the rendering, and of reading the objects.
  func render(
    _ output: Output, for terminal: TerminalTraits, write: (String) throws -> Void
  ) async throws

  /// An error for people or as one JSON line, with its line end.
  func render(_ diagnostic: Diagnostic, for terminal: TerminalTraits) -> String

  /// A warning, with its line end.
  func render(warning: String, for terminal: TerminalTraits) -> String

  /// A traced event of a fetch, with its line end.
  func render(trace: EventLine, for terminal: TerminalTraits) -> String

  /// A text of the style as a terminal may show it: nothing in it controls the terminal. Styles for
  /// people escape all data anyway, because they have controls of their own.
  func safeForTerminal(_ text: String) -> String

  /// The text of an output that belongs to the diagnostic stream, with its line end; nil for outputs
  /// that ``render(_:for:write:)`` writes.
  func note(on output: Output, for terminal: TerminalTraits) -> String?
}

extension Style {
  public static var isComplete: Bool { false }
  public var beginning: String { "" }
  public var end: String { "" }
  public func safeForTerminal(_ text: String) -> String { text }

  public func render(_ diagnostic: Diagnostic, for terminal: TerminalTraits) -> String {
    DiagnosticPicture(diagnostic, terminal: terminal).text
  }

  public func render(warning: String, for terminal: TerminalTraits) -> String {
    let label = "warning:"
    let lines = warning.escapingControls()
      .wrapped(to: terminal.textWidth, used: label.utf8.count + 1, indent: 2)
    return Paint(terminal).yellow(label) + " " + lines.map { $0 + "\n" }.joined()
  }

  public func render(trace: EventLine, for terminal: TerminalTraits) -> String {
    ("trace: " + trace.text.escapingControls())
      .wrapped(to: terminal.textWidth, indent: 4)
      .map { Paint(terminal).dim($0) + "\n" }.joined()
  }
}

/// A style for data that other programs read: the summaries of commands are not part of the data.
public protocol DataStyle: Style {}

extension DataStyle {
  public func note(on output: Output, for terminal: TerminalTraits) -> String? {
    guard case .report(let report) = output.content, report.isSummary else { return nil }
    return TableStyle.lines(of: report, for: terminal)
  }
}

extension Style {
  public func note(on output: Output, for terminal: TerminalTraits) -> String? { nil }
}

/// The styles by name, for `mode` and `--output`.
public enum Styles {
  public static let all: [any Style.Type] = [
    TableStyle.self, BoxStyle.self, JSONStyle.self, JSONLinesStyle.self, CSVStyle.self,
    TSVStyle.self, MarkdownStyle.self, HTMLStyle.self, LineStyle.self,
  ]

  public static var names: [String] { all.map { $0.name } }

  /// The styles with their summaries, for help.
  public static let described: [OutputStyle] =
    all.map { OutputStyle(name: $0.name, summary: $0.summary) }

  /// The styles for programs, which write all rows.
  public static var completeNames: [String] {
    all.filter { $0.isComplete }.map { $0.name }
  }

  /// - Returns: nil for an unknown name.
  public static func style(named name: String) -> (any Style)? {
    all.first { $0.name == name }?.init()
  }
}
