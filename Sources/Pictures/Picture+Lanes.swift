extension Picture {
  /// A party that sends and receives messages.
  public struct Lane: Sendable {
    public var name: String

    public init(_ name: String) { self.name = name }
  }

  /// A message from one lane to others, or an event within a lane.
  public struct Message: Sendable {
    /// The index of the lane that sends it.
    public var start: Int
    /// The indices of the lanes that receive it, without ``start``; empty for an event within the lane.
    public var ends: [Int]
    /// `finished`
    public var text: String
    /// `1 section, 12 objects`
    public var detail: String
    public var isFailure: Bool

    public init(
      from start: Int, to ends: [Int], _ text: String, detail: String = "", isFailure: Bool = false
    ) {
      self.start = start
      self.ends = ends
      self.text = text
      self.detail = detail
      self.isFailure = isFailure
    }

    /// The text and the detail.
    var label: String { detail.isEmpty ? text : "\(text) \(detail)" }

    /// The lanes that the arrows of the message cross or reach.
    var span: ClosedRange<Int> {
      min(start, ends.min() ?? start)...max(start, ends.max() ?? start)
    }
  }
}
