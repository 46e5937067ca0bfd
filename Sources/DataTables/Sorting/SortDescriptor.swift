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

extension SortDescriptor: CustomStringConvertible {
  /// The descriptor as it is typed, without what is the default, and what holds for all descriptors
  /// behind it: `age desc`, `name localized (sv)`, `price (nulls last)`.
  public var description: String {
    let shared = [nulls.map { "nulls \($0.rawValue)" }, locale].compactMap { $0 }
    return typed + (shared.isEmpty ? "" : " (\(shared.joined(separator: ", ")))")
  }

  private var typed: String {
    var words = [keyPath.description]
    if direction != .ascending { words.append(direction.rawValue) }
    if comparison != .compare { words.append(comparison.rawValue) }
    return words.joined(separator: " ")
  }

  /// Descriptors as labels say them: `sort: kind, name localized nulls: last locale: sv`.
  ///
  /// A label holds for all of them; of descriptors that differ, the first tells.
  public static func labels(_ descriptors: [SortDescriptor]) -> String {
    var labels = ["sort: " + descriptors.map(\.typed).joined(separator: ", ")]
    if let nulls = descriptors.lazy.compactMap(\.nulls).first {
      labels.append("nulls: \(nulls.rawValue)")
    }
    if let locale = descriptors.lazy.compactMap(\.locale).first {
      labels.append("locale: \(locale)")
    }
    return labels.joined(separator: " ")
  }
}
