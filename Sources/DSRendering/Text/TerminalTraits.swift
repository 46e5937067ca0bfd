import Synchronization

/// The capabilities of the reader's terminal.
public struct TerminalTraits: Sendable {
  /// In cells; nil when the reader is not a terminal, which leaves the length of lines unlimited.
  public var width: Int?
  /// The width, in cells, at which text is broken between words; nil where it is not broken.
  public var textWidth: Int?
  public var hasColor: Bool
  /// The number of rows that styles for people show before `… 12 more`; nil for all.
  public var rowLimit: Int?
  /// Receives what a rendering leaves out.
  public var notices: RenderingNotices?

  public init(
    width: Int? = nil, textWidth: Int? = nil, hasColor: Bool = false, rowLimit: Int? = 50
  ) {
    self.width = width
    self.textWidth = textWidth
    self.hasColor = hasColor
    self.rowLimit = rowLimit
  }

  /// The maximum number of elements and keys of one value at all depths, and of the lines of an
  /// object: records are cut later than tables, because their keys differ.
  static func nestedLimit(of rowLimit: Int) -> Int {
    let (limit, isTooLarge) = rowLimit.multipliedReportingOverflow(by: 20)
    return isTooLarge ? .max : limit
  }
}

/// Whether a rendering left out something for lack of room.
public final class RenderingNotices: Sendable {
  private let columns = Atomic(false)

  public init() {}

  /// Whether columns of a table did not fit.
  public internal(set) var hidesColumns: Bool {
    get { columns.load(ordering: .relaxed) }
    set { columns.store(newValue, ordering: .relaxed) }
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
