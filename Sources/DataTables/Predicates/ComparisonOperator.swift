/// The operator of a comparison, with its options and its quantifier.
public struct ComparisonOperator: Hashable, Sendable {
  /// How many elements of the left side must satisfy the comparison; `some` means the same as
  /// `any`.
  public enum Quantifier: String, Hashable, Sendable, CaseIterable { case any, all, none, some }

  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case `in` = "IN"
    case between = "BETWEEN"
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    case matches = "MATCHES"

    /// The operator with this name, without regard to case; nil for a symbol or an unknown name.
    public init?(word: String) {
      guard word.first?.isLetter == true else { return nil }
      self.init(rawValue: word.uppercased())
    }
  }

  /// The letters in brackets after an operator, such as `[cd]`.
  public struct Options: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let caseInsensitive = Options(rawValue: 1)
    public static let diacriticInsensitive = Options(rawValue: 2)
    /// The strings need no folding: `[n]` overrides `[c]` and `[d]`, as in Cocoa.
    public static let normalized = Options(rawValue: 4)
    /// Strings are ordered by the root collation, as `sort: name localized` orders them.
    public static let localized = Options(rawValue: 8)

    /// The letters of the options, in the order in which they are written.
    public static let letters: [(letter: String, option: Options)] = [
      ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("n", .normalized), ("l", .localized),
    ]

    /// The differences that a comparison ignores: a subset of `[cd]`.
    public var folding: Options {
      contains(.normalized) ? [] : intersection([.caseInsensitive, .diacriticInsensitive])
    }
  }

  public var quantifier: Quantifier?
  public var kind: Kind
  public var options: Options

  public init(
    _ kind: Kind, options: Options = [], quantifier: Quantifier? = nil
  ) {
    self.kind = kind
    self.options = options
    self.quantifier = quantifier
  }
}

extension ComparisonOperator: CustomStringConvertible {
  /// The operator as it is typed: `BEGINSWITH[cd]`.
  public var description: String {
    let letters = Options.letters.filter { options.contains($0.option) }.map(\.letter).joined()
    return kind.rawValue + (letters.isEmpty ? "" : "[\(letters)]")
  }
}

extension ComparisonOperator {
  /// Whether the comparison of two values holds.
  ///
  /// Values of different types are unequal. A string in ISO form that is compared with a date is
  /// read as a date.
  /// - Throws: ``TableError/badArgument(_:)`` if the operator orders values of different types, if
  ///   it expects a string, a list or two values and gets another value, or for an invalid regular
  ///   expression.
  public func holds(_ left: Value, _ right: Value) throws(TableError) -> Bool {
    do throws(ComparisonError) {
      return try isTrue(of: left) { left throws(ComparisonError) in
        try compare(left, right, pattern: nil)
      }
    } catch {
      throw error.tableError
    }
  }

  /// Whether the comparison holds in a predicate. It is false for values that cannot be compared,
  /// and for null with any operator except == and !=.
  func holdsLeniently(_ left: Value, _ right: Value, pattern: TextPattern? = nil) -> Bool {
    isTrue(of: left) { left in
      if left.isNull || right.isNull, kind != .equal, kind != .notEqual { return false }
      return (try? compare(left, right, pattern: pattern)) ?? false
    }
  }

  /// Whether the operator compares values of these types: 1 and 2, but not 1 and "2". True if one of
  /// them is null. The quantifier is not considered.
  func accepts(_ left: Value, _ right: Value) -> Bool {
    if left.isNull || right.isNull { return true }
    switch kind {
    case .equal, .notEqual: return Self.haveSameType(left, right)
    case .in:
      if case .string = right { return left.type == .string }
      guard let list = try? elements(right) else { return false }
      return list.isEmpty || list.contains { $0.isNull || Self.haveSameType(left, $0) }
    case .contains where left.type == .array:
      guard let list = try? elements(left) else { return false }
      return list.isEmpty || list.contains { $0.isNull || Self.haveSameType($0, right) }
    case .contains, .beginsWith, .endsWith, .like, .matches:
      return left.type == .string && right.type == .string
    default:
      do throws(ComparisonError) {
        _ = try compare(left, right, pattern: nil)
        return true
      } catch {
        return false
      }
    }
  }

  private static func haveSameType(_ left: Value, _ right: Value) -> Bool {
    let (left, right) = asDates(left, right)
    return left.type == right.type
  }

  private func isTrue<Failure: Error>(
    of left: Value, _ compare: (Value) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    guard let quantifier else { return try compare(left) }
    let elements: [Value]
    switch left {
    case .array(let values): elements = values
    case .null: elements = []
    default: elements = [left]
    }
    for element in elements {
      switch (quantifier, try compare(element)) {
      case (.any, true), (.some, true): return true
      case (.all, false), (.none, true): return false
      default: continue
      }
    }
    return quantifier == .all || quantifier == .none
  }

  private func compare(
    _ left: Value, _ right: Value, pattern: TextPattern?
  ) throws(ComparisonError) -> Bool {
    switch kind {
    case .equal: return areEqual(left, right)
    case .notEqual: return !areEqual(left, right)
    case .less: return try order(left, right) == .before
    case .lessOrEqual: return try order(left, right) != .after
    case .greater: return try order(left, right) == .after
    case .greaterOrEqual: return try order(left, right) != .before
    case .in:
      guard case .string(let text) = right else {
        return try elements(right).contains { areEqual(left, $0) }
      }
      guard case .string(let part) = left else { throw .notString(left, kind) }
      return try TextPattern(part, .contains, options).matches(text)
    case .between:
      let bounds = try elements(right)
      guard bounds.count == 2 else { throw .notTwoValues }
      let low = try order(bounds[0], left)
      return try order(left, bounds[1]) != .after && low != .after
    case .contains where left.type == .array:
      return try elements(left).contains { areEqual($0, right) }
    case .contains, .beginsWith, .endsWith, .like, .matches:
      guard case .string(let text) = left else { throw .notString(left, kind) }
      if let pattern { return pattern.matches(text) }
      guard case .string(let part) = right else { throw .notString(right, kind) }
      return try TextPattern(part, kind, options).matches(text)
    }
  }

  private func areEqual(_ left: Value, _ right: Value) -> Bool {
    let (left, right) = Self.asDates(left, right)
    guard !options.folding.isEmpty, case .string(let first) = left,
      case .string(let second) = right
    else { return left == right }
    return options.fold(first) == options.fold(second)
  }

  private func order(_ left: Value, _ right: Value) throws(ComparisonError) -> Ordering {
    var (left, right) = Self.asDates(left, right)
    guard left.type == right.type else { throw .notOrdered(left, right) }
    if !options.isEmpty, case .string(let first) = left, case .string(let second) = right {
      if options.contains(.localized) { return options.localizedOrder(first, second) }
      (left, right) = (.string(options.fold(first)), .string(options.fold(second)))
    }
    return left.compare(right)
  }

  func elements(_ value: Value) throws(ComparisonError) -> [Value] {
    if case .array(let values) = value { return values }
    // An empty record is written `{}`, which also means an empty list.
    if case .record(let record) = value, record.count == 0 { return [] }
    throw .notList(value, kind)
  }

  private static func asDates(_ left: Value, _ right: Value) -> (Value, Value) {
    switch (left, right) {
    case (.date, .string(let text)): (left, Timestamp(iso: text).map(Value.date) ?? right)
    case (.string(let text), .date): (Timestamp(iso: text).map(Value.date) ?? left, right)
    default: (left, right)
    }
  }
}

/// The reason why an operator cannot compare two values.
///
/// It stores the values, not a message. In a predicate, the error only means false and can occur in
/// every row, so building messages would waste time.
enum ComparisonError: Error {
  case notOrdered(Value, Value)
  case notString(Value, ComparisonOperator.Kind)
  case notList(Value, ComparisonOperator.Kind)
  case notTwoValues
  case invalidRegularExpression(String, why: String)

  var tableError: TableError {
    switch self {
    case .notOrdered(let left, let right):
      .badArgument(
        "\(left.excerpt) and \(right.excerpt) cannot be ordered: one is \(left.type.phrase), "
          + "the other \(right.type.phrase)")
    case .notString(let value, let kind):
      .badArgument(
        "\(kind.rawValue) compares strings; \(value.excerpt) is \(value.type.phrase)")
    case .notList(let value, let kind):
      .badArgument(
        "\(kind.rawValue) expects a list such as `{1, 2}`"
          + (kind == .in ? " or a string" : "") + ", not \(value.excerpt)")
    case .notTwoValues: .badArgument("BETWEEN expects two values: `BETWEEN {1, 10}`")
    case .invalidRegularExpression(let pattern, let why):
      .badArgument("invalid regular expression \(Value.string(pattern).excerpt): \(why)")
    }
  }
}
