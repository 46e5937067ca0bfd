/// The content of a picture, without a way of drawing it.
public struct Picture: Sendable {
  public enum Content: Sendable {
    /// Horizontal bars that begin at 0, from the top down.
    case bars([Bar])
    /// Boxes, and arrows between them.
    case boxes([Box], arrows: [Arrow])
    /// The visible part of a table view.
    case table(TableView)
    /// Messages between lanes, from the top down.
    case lanes([Lane], messages: [Message])
    /// Lists side by side.
    case columns([Column])
  }

  public struct Bar: Sendable {
    public var label: String
    /// At least 0.
    public var length: Int

    public init(_ label: String, length: Int) {
      self.label = label
      self.length = length
    }
  }

  public struct Box: Sendable {
    /// The first line is the name; there is at least one.
    public var lines: [String]

    public init(_ lines: [String]) { self.lines = lines }
  }

  /// An arrow between two boxes, by their indices.
  public struct Arrow: Sendable {
    public var start: Int
    public var end: Int

    public init(from start: Int, to end: Int) {
      self.start = start
      self.end = end
    }
  }

  public var title: String
  /// A line below the picture: `… 3,981 more sections`.
  public var note: String?
  public var content: Content

  public init(_ title: String, _ content: Content, note: String? = nil) {
    self.title = title
    self.content = content
    self.note = note
  }
}
