/// The capabilities of the reader's terminal.
public struct TerminalTraits: Sendable {
  /// In cells; nil when the reader is not a terminal, which leaves the length of lines unlimited.
  public var width: Int?
  public var hasColor: Bool
  /// The number of rows that styles for people show before `… 12 more`; nil for all.
  public var rowLimit: Int?

  public init(width: Int? = nil, hasColor: Bool = false, rowLimit: Int? = 50) {
    self.width = width
    self.hasColor = hasColor
    self.rowLimit = rowLimit
  }
}

/// Colors and weights, for terminals that show them.
struct Paint {
  let isOn: Bool

  init(_ terminal: TerminalTraits) { isOn = terminal.hasColor }

  func bold(_ text: String) -> String { wrap(text, "1") }
  func dim(_ text: String) -> String { wrap(text, "2") }
  func red(_ text: String) -> String { wrap(text, "31") }
  func yellow(_ text: String) -> String { wrap(text, "33") }

  private func wrap(_ text: String, _ code: String) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
