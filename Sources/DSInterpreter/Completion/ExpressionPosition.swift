import DataTables

/// The position in an unfinished expression: `kind == "sweet" and na`.
struct ExpressionPosition {
  /// The part of the expression that follows.
  enum Expected {
    case operand
    /// After a value that nothing has been compared with.
    case comparison
    /// After a comparison: `and`, `or`, or the end.
    case connective
  }

  private(set) var expected = Expected.operand
  /// The text of the key path or name on the left of the comparison; nil for another operand.
  private(set) var left: String?
  /// The operator whose right side follows or has been typed; nil before an operator.
  private(set) var comparison: ComparisonOperator.Kind?
  /// Whether `not` precedes the operator that follows.
  private(set) var isNegated = false
  /// Whether the last word was an operator, which `[cd]` can follow.
  private(set) var endsInOperator = false

  mutating func take(_ word: String) {
    let lowercased = word.lowercased()
    endsInOperator = false
    switch expected {
    case .operand:
      if Self.prefixes.contains(lowercased), comparison == nil { return }
      takeOperand(word)
    case .comparison:
      if let kind = ComparisonOperator.Kind(word: word) {
        compare(by: kind)
      } else if lowercased == "not" {
        isNegated = true
      } else {
        takeConnective(lowercased)
      }
    case .connective: takeConnective(lowercased)
    }
  }

  mutating func take(_ symbol: Token.Symbol) {
    endsInOperator = false
    switch symbol {
    case .comparison(let kind): if expected != .operand { compare(by: kind) }
    case .assignment: if expected != .operand { compare(by: .equal) }
    case .and, .or: self = Self()
    case .not: break
    }
  }

  /// Takes a value; `path` is the text of a key path or name.
  mutating func takeOperand(_ path: String? = nil) {
    if comparison == nil { left = path }
    expected = comparison == nil ? .comparison : .connective
  }

  /// Appends a step, such as an index or a key after it, to the operand before it.
  mutating func extendOperand(by step: String) {
    if comparison == nil { left = left.map { $0 + step } }
  }

  /// The operand was the name of a function.
  mutating func takeCall() { if comparison == nil { left = nil } }

  private mutating func compare(by kind: ComparisonOperator.Kind) {
    comparison = kind
    isNegated = false
    expected = .operand
    endsInOperator = true
  }

  private mutating func takeConnective(_ word: String) {
    switch word {
    case "and", "or": self = Self()
    case "+", "-", "*", "/", "%":
      // The result of arithmetic has no key.
      if comparison == nil { left = nil }
      expected = .operand
    default: break
    }
  }

  /// The words before an operand, in lowercase.
  private static let prefixes = Set(
    ["not"] + ComparisonOperator.Quantifier.allCases.map(\.rawValue))
}
