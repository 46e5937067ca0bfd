extension Predicate: CustomStringConvertible {
  /// The predicate as it is typed, with the brackets that it needs.
  public var description: String {
    switch self {
    case .comparison(let comparison):
      let quantifier = comparison.operator.quantifier.map { $0.rawValue.uppercased() + " " } ?? ""
      return "\(quantifier)\(comparison.left) \(comparison.operator) \(comparison.right)"
    case .boolean(let operand): return operand.description
    case .not(let predicate): return "not \(predicate.inBrackets)"
    case .and(let predicates): return predicates.map(\.inBrackets).joined(separator: " and ")
    case .or(let predicates): return predicates.map(\.inBrackets).joined(separator: " or ")
    }
  }

  private var inBrackets: String {
    switch self {
    case .comparison, .boolean: description
    case .not, .and, .or: "(\(self))"
    }
  }
}

extension Predicate.Operand: CustomStringConvertible {
  public var description: String {
    switch self {
    case .value(.date(let date)): date.text
    case .value(let value): value.json
    case .object: "SELF"
    case .key(let path):
      // A name is bare in a predicate; what is quoted is a text.
      path.description.first == "\"" ? "SELF.\(path)" : path.description
    case .path(let operand, let path):
      path.description.first == "[" ? "\(operand)\(path)" : "\(operand).\(path)"
    case .array(let operands): "[" + operands.map(\.description).joined(separator: ", ") + "]"
    case .record(let pairs):
      "{" + pairs.map { "\(Value.string($0.key).json): \($0.value)" }.joined(separator: ", ") + "}"
    case .predicate(let predicate): "(\(predicate))"
    }
  }
}
