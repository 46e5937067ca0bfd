public import DSInterpreter

/// A way to show outputs: `table`, `json`, `csv`. One file each; ``Styles/all`` is the table of them.
public protocol Style: Sendable {
  static var name: String { get }
  /// One line for help.
  static var summary: String { get }
  init()

  /// Writes `output` piece by piece; `write` may throw when the reader is gone.
  func render(
    _ output: Output, for terminal: TerminalTraits, write: (String) throws -> Void
  ) async throws

  /// An error as this style's readers expect it (a picture, or one JSON line).
  func render(_ diagnostic: Diagnostic, for terminal: TerminalTraits) -> String
}

/// What the reader's terminal can do.
public struct TerminalTraits: Sendable {
  /// In cells; nil when it is not a terminal, and nothing is fitted.
  public var width: Int?
  public var hasColor: Bool
  public init(width: Int? = nil, hasColor: Bool = false) {
    self.width = width
    self.hasColor = hasColor
  }
}
