/// A key path, a direction, and a comparison of the values.
public struct SortDescriptor: Hashable, Sendable {
  public enum Direction: String, Hashable, Sendable, CaseIterable {
    case ascending = "asc"
    case descending = "desc"
  }
  public enum Comparison: String, Hashable, Sendable, CaseIterable {
    case compare, caseInsensitive, numeric
    /// The order of a language: letters, then accents, then case.
    case localized
    /// Like `localized`, but ignores case.
    case localizedCaseInsensitive
    /// The order of file lists: numbers by value, then accents, then case.
    case localizedStandard

    /// Whether the order depends on a locale.
    public var isLocalized: Bool {
      switch self {
      case .compare, .caseInsensitive, .numeric: false
      case .localized, .localizedCaseInsensitive, .localizedStandard: true
      }
    }
  }
  public enum Nulls: String, Hashable, Sendable, CaseIterable { case first, last }

  public var keyPath: ObjectKeyPath
  /// Values that are first in ascending order, as listed. The other values are after them, by the
  /// comparison. Nulls are where ``nulls`` puts them.
  public var list: [Value]
  public var direction: Direction
  public var comparison: Comparison
  /// Whether nulls are first or last; nil means first if ascending and last if descending.
  public var nulls: Nulls?
  /// The locale of the localized comparisons, such as `sv` or `de_AT`; nil means the root
  /// collation, which fits most languages in Latin script.
  public var locale: String?

  public init(
    _ keyPath: ObjectKeyPath, in list: [Value] = [], direction: Direction = .ascending,
    comparison: Comparison = .compare, nulls: Nulls? = nil, locale: String? = nil
  ) {
    self.keyPath = keyPath
    self.list = list
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
  /// The descriptor as it is typed, without defaults, followed by the settings that labels set for
  /// all descriptors: `age desc`, `name localized (sv)`, `price (nulls last)`, `size in ["S", "M"]`.
  public var description: String {
    let shared = [nulls.map { "nulls \($0.rawValue)" }, locale].compactMap { $0 }
    return typed + (shared.isEmpty ? "" : " (\(shared.joined(separator: ", ")))")
  }

  private var typed: String {
    var words = [keyPath.description]
    if !list.isEmpty { words.append("in [" + list.map(\.typed).joined(separator: ", ") + "]") }
    if direction != .ascending { words.append(direction.rawValue) }
    if comparison != .compare { words.append(comparison.rawValue) }
    return words.joined(separator: " ")
  }

  /// The descriptors as labels: `sort: kind, name localized nulls: last locale: sv`.
  ///
  /// A label applies to all descriptors. If the descriptors differ, the label has the value of the
  /// first descriptor that sets one.
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
