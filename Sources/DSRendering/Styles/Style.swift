public import DSInterpreter

/// A way to show outputs: `table`, `json`, `csv`. ``Styles/all`` lists them.
public protocol Style: Sendable {
  static var name: String { get }
  /// One line for help.
  static var summary: String { get }
  init()

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

  /// The text of an output that belongs to the diagnostic stream, with its line end; nil for outputs
  /// that ``render(_:for:write:)`` writes.
  func note(on output: Output) -> String?
}

extension Style {
  public func render(_ diagnostic: Diagnostic, for terminal: TerminalTraits) -> String {
    DiagnosticPicture(diagnostic, terminal: terminal).text
  }

  public func render(warning: String, for terminal: TerminalTraits) -> String {
    Paint(terminal).yellow("warning:") + " " + warning.escapingControls() + "\n"
  }

  public func render(trace: EventLine, for terminal: TerminalTraits) -> String {
    Paint(terminal).dim("trace: " + trace.text.escapingControls()) + "\n"
  }
}

/// A style for data that other programs read: the summaries of commands are not part of the data.
public protocol DataStyle: Style {}

extension DataStyle {
  public func note(on output: Output) -> String? {
    guard case .report(let report) = output.content, report.isSummary else { return nil }
    return TableStyle.lines(of: report)
  }
}

extension Style {
  public func note(on output: Output) -> String? { nil }
}

/// The styles by name, for `mode` and `--output`.
public enum Styles {
  public static let all: [any Style.Type] = [
    TableStyle.self, JSONStyle.self, JSONLinesStyle.self, CSVStyle.self, TSVStyle.self,
    MarkdownStyle.self, LineStyle.self,
  ]

  public static var names: [String] { all.map { $0.name } }

  /// The styles with their summaries, for help.
  public static let described: [OutputStyle] =
    all.map { OutputStyle(name: $0.name, summary: $0.summary) }

  /// - Returns: nil for an unknown name.
  public static func style(named name: String) -> (any Style)? {
    all.first { $0.name == name }?.init()
  }
}
