public import DSInterpreter

/// A way to show outputs: `table`, `json`, `csv`. One file each; ``Styles/all`` is the table of them.
public protocol Style: Sendable {
  static var name: String { get }
  /// One line for help.
  static var summary: String { get }
  init()

  /// Writes `output` piece by piece, each piece ending a line or to be followed by one that does.
  ///
  /// Objects are read in batches as they are written, so what is held does not grow with them.
  /// - Throws: what `write` throws, which ends the rendering, and what reading the objects throws.
  func render(
    _ output: Output, for terminal: TerminalTraits, write: (String) throws -> Void
  ) async throws

  /// An error as this style's readers expect it (a picture, or one JSON line), with its line end.
  func render(_ diagnostic: Diagnostic, for terminal: TerminalTraits) -> String

  /// A warning, with its line end.
  func render(warning: String, for terminal: TerminalTraits) -> String

  /// An event of a fetch as it happens, with its line end.
  func render(trace: EventLine, for terminal: TerminalTraits) -> String
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

/// What the reader's terminal can do.
public struct TerminalTraits: Sendable {
  /// In cells; nil when it is not a terminal, and nothing is fitted.
  public var width: Int?
  public var hasColor: Bool
  /// How many rows the styles for people show before `… 12 more`; nil for all.
  public var rowLimit: Int?

  public init(width: Int? = nil, hasColor: Bool = false, rowLimit: Int? = 50) {
    self.width = width
    self.hasColor = hasColor
    self.rowLimit = rowLimit
  }
}
