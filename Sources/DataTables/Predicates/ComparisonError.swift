/// Why two values cannot be compared as a claim wants.
///
/// The values themselves, not a text: in a predicate a mistake is only false, for every row.
enum ComparisonError: Error {
  case noOrder(Value, Value)
  case noText(Value, ComparisonOperator.Kind)
  case noList(Value, ComparisonOperator.Kind)
  case noBounds
  case noRegularExpression(String, why: String)

  var tableError: TableError {
    switch self {
    case .noOrder(let left, let right):
      .badArgument(
        "\(left.excerpt) and \(right.excerpt) have no order: one is \(left.type.phrase), the other "
          + right.type.phrase)
    case .noText(let value, let kind):
      .badArgument(
        "\(kind.rawValue) compares strings; \(value.excerpt) is \(value.type.phrase)")
    case .noList(let value, let kind):
      .badArgument("\(kind.rawValue) takes a list: `{1, 2}`, not \(value.excerpt)")
    case .noBounds: .badArgument("BETWEEN takes two values: `BETWEEN {1, 10}`")
    case .noRegularExpression(let pattern, let why):
      .badArgument("\(Value.string(pattern).excerpt) is no regular expression: \(why)")
    }
  }
}
