/// A key path, a direction, and how its values compare.
public struct SortDescriptor: Hashable, Sendable {
  public enum Direction: String, Hashable, Sendable, CaseIterable {
    case ascending = "asc"
    case descending = "desc"
  }
  public enum Comparison: String, Hashable, Sendable, CaseIterable {
    case compare, caseInsensitive, numeric
    /// By the rules of a language: letters, then accents, then case.
    case localized
    /// As `localized`, but case does not count.
    case localizedCaseInsensitive
    /// As file lists are sorted: numbers by value, then accents, then case.
    case localizedStandard

    /// Whether a locale tells the order.
    public var isLocalized: Bool {
      switch self {
      case .compare, .caseInsensitive, .numeric: false
      case .localized, .localizedCaseInsensitive, .localizedStandard: true
      }
    }
  }
  public enum Nulls: String, Hashable, Sendable, CaseIterable { case first, last }

  public var keyPath: ObjectKeyPath
  public var direction: Direction
  public var comparison: Comparison
  /// Where nulls stand; nil puts them first ascending and last descending.
  public var nulls: Nulls?
  /// The locale of the localized comparisons, as `sv` or `de_AT`; nil is the root collation, which is
  /// that of most languages in Latin script.
  public var locale: String?

  public init(
    _ keyPath: ObjectKeyPath, direction: Direction = .ascending, comparison: Comparison = .compare,
    nulls: Nulls? = nil, locale: String? = nil
  ) {
    self.keyPath = keyPath
    self.direction = direction
    self.comparison = comparison
    self.nulls = nulls
    self.locale = locale
  }

  var putsNullsFirst: Bool {
    (nulls ?? (direction == .descending ? .last : .first)) == .first
  }
}
