/// A key path, a direction, and how its values compare.
public struct SortDescriptor: Hashable, Sendable {
  public enum Direction: String, Hashable, Sendable, CaseIterable {
    case ascending = "asc"
    case descending = "desc"
  }
  public enum Comparison: String, Hashable, Sendable, CaseIterable {
    case compare, caseInsensitive, numeric
  }
  public enum Nulls: String, Hashable, Sendable, CaseIterable { case first, last }

  public var keyPath: ObjectKeyPath
  public var direction: Direction
  public var comparison: Comparison
  /// Where nulls stand; nil puts them first ascending and last descending.
  public var nulls: Nulls?

  public init(
    _ keyPath: ObjectKeyPath, direction: Direction = .ascending, comparison: Comparison = .compare,
    nulls: Nulls? = nil
  ) {
    self.keyPath = keyPath
    self.direction = direction
    self.comparison = comparison
    self.nulls = nulls
  }
}
