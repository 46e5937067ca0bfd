/// The position of an object in a source: its section and its row in the section, both counted from
/// 0.
public struct IndexPath: Hashable, Sendable, Comparable {
  public var section: Int
  public var row: Int
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }
  public static func < (left: IndexPath, right: IndexPath) -> Bool {
    (left.section, left.row) < (right.section, right.row)
  }
}

extension IndexPath: CustomStringConvertible {
  /// `[5, 1]`
  public var description: String { "[\(section), \(row)]" }
}
