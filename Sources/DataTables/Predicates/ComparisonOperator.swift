/// What a comparison claims of two values: an operator with its options, and of which elements.
public struct ComparisonOperator: Hashable, Sendable {
  /// Of which elements of the left side it is claimed.
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

    /// Operators that are words are known in any case.
    public init?(word: String) {
      guard word.first?.isLetter == true else { return nil }
      self.init(rawValue: word.uppercased())
    }
  }

  /// What `[cd]` after an operator leaves out of account.
  public struct Options: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let caseInsensitive = Options(rawValue: 1)
    public static let diacriticInsensitive = Options(rawValue: 2)
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
    let letters =
      (options.contains(.caseInsensitive) ? "c" : "")
      + (options.contains(.diacriticInsensitive) ? "d" : "")
    return kind.rawValue + (letters.isEmpty ? "" : "[\(letters)]")
  }
}
