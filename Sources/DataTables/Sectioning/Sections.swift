/// Rows in an order, cut into sections.
public struct Sections: Sendable {
  /// The first row of each section, as positions in the order.
  ///
  /// - Shape: `sections + 1` ascending positions, first 0, last the number of rows; no sections
  ///   gives `[0]`.
  public let offsets: [Int]
  /// One title a section: the value of the key for its first object, as it is written there.
  public let titles: [Value]
  /// Titles that more than one section has, in the order of their first sections.
  public let repeated: [RepeatedTitle]
  /// The titles of a list of sections, some of which may be hidden; nil when the sections are all
  /// there is.
  public let listed: [ListedTitle]?

  public var count: Int { titles.count }

  public init(
    offsets: [Int], titles: [Value], repeated: [RepeatedTitle] = [], listed: [ListedTitle]? = nil
  ) {
    self.offsets = offsets
    self.titles = titles
    self.repeated = repeated
    self.listed = listed
  }

  /// One section with all rows, even when there are none.
  public static func whole(_ rows: Int, title: Value = "") -> Sections {
    Sections(offsets: [0, rows], titles: [title])
  }

  /// The section of a position in the order.
  /// - Precondition: `position` is in `0..<offsets.last`.
  /// - Complexity: O(log sections).
  public func section(of position: Int) -> Int {
    var low = 0
    var high = titles.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if offsets[middle] <= position { low = middle } else { high = middle }
    }
    return low
  }
}
