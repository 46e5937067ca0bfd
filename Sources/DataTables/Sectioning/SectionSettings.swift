/// Settings of a ``SectionMode``; each mode reads some of them.
public struct SectionSettings: Hashable, Sendable {
  /// The labels of the settings.
  public enum Name: String, Sendable, CaseIterable {
    case order, titles, empty, other, zone, locale
  }
  /// The order of groups; nil means the order of first appearance.
  public var order: GroupOrder?
  /// The titles of fixed sections, all different.
  public var titles: [Value] = []
  /// Whether fixed and collated sections without rows are shown.
  public var showsEmpty = true
  /// The title of the fixed section for rows that equal none of the titles.
  public var other: Value = "#"
  /// The zone that determines when days begin; dates without a zone are not shifted.
  public var zone = Zone.gmt
  /// The locale of a collated index; nil means the root collation.
  public var locale: String?

  public init() {}
}

/// An order of groups.
public struct GroupOrder: Hashable, Sendable {
  public enum Criterion: String, Sendable, CaseIterable { case title, count }
  public var criterion: Criterion
  public var direction: SortDescriptor.Direction
  /// The comparison of titles; `compare` orders ties.
  public var comparison: SortDescriptor.Comparison
  /// The locale of localized comparisons; nil means the root collation.
  public var locale: String?
  /// Titles that are first, as listed; the other groups follow in the order of first appearance.
  /// If empty, the criterion determines the order.
  public private(set) var titles: [Value] = []

  /// An order of listed titles.
  /// - Parameter titles: at least one.
  public init(titles: [Value]) {
    self.init(.title)
    self.titles = titles
  }

  public init(
    _ criterion: Criterion, direction: SortDescriptor.Direction = .ascending,
    comparison: SortDescriptor.Comparison = .compare, locale: String? = nil
  ) {
    self.criterion = criterion
    self.direction = direction
    self.comparison = comparison
    self.locale = locale
  }
}

extension GroupOrder: CustomStringConvertible {
  /// The order as it is typed: `title desc`, `count`, `["b", "a"]`.
  public var description: String {
    if !titles.isEmpty { return "[" + titles.map(\.typed).joined(separator: ", ") + "]" }
    var words = [criterion.rawValue]
    if direction != .ascending { words.append(direction.rawValue) }
    if comparison != .compare { words.append(comparison.rawValue) }
    return words.joined(separator: " ")
  }
}

extension SectionSettings {
  /// The titles in a range of characters or integers: `A...Z`, `1...12`; nil if the string is not a
  /// range.
  ///
  /// - Throws: ``TableError/badArgument(_:)`` for a range that is empty or has more than 100,000
  ///   titles.
  public static func titles(ofRange text: String) throws(TableError) -> [Value]? {
    guard let dots = text.firstRange(of: "...") else { return nil }
    let first = text[..<dots.lowerBound]
    let last = text[dots.upperBound...]
    if let first = Int(first), let last = Int(last) {
      try check(text, from: first, to: last)
      return (first...last).map { .integer($0) }
    }
    guard let first = onlyScalar(first), let last = onlyScalar(last) else { return nil }
    try check(text, from: Int(first.value), to: Int(last.value))
    return (first.value...last.value).compactMap { Unicode.Scalar($0) }.map { .string(String($0)) }
  }

  private static func onlyScalar(_ text: Substring) -> Unicode.Scalar? {
    text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
  }

  private static func check(_ text: String, from first: Int, to last: Int) throws(TableError) {
    guard first <= last else { throw .badArgument("the range `\(text)` is empty") }
    let (distance, overflow) = last.subtractingReportingOverflow(first)
    guard !overflow, distance < 100_000 else {
      throw .badArgument("the range `\(text)` has more than 100,000 titles")
    }
  }
}
