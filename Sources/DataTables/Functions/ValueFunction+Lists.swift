// Functions of lists.
extension ValueFunction {
  static let listFunctions: [ValueFunction] = [
    list("sum:", "the sum; a missing value counts as 0", .sum),
    ValueFunction(
      name: "count:", summary: "the number of elements, including missing values", arity: .list,
      body: .elements { .integer($0.count) }),
    list("min:", "the least value in the order of sort:", .minimum),
    list("max:", "the greatest value in the order of sort:", .maximum),
    list("average:", "the average; a missing value counts as 0", .average),
    list("median:", "the middle number, or the mean of the two middle ones", .median),
    ValueFunction(
      name: "mode:", summary: "a list of the most frequent values, the first to appear first",
      arity: .list, body: .elements { .array(modes(of: $0)) }),
    ValueFunction(
      name: "stddev:",
      summary: "the standard deviation of all values: divided by n, unlike @stddev", arity: .list,
      body: .elements { values throws(ComputationError) in try standardDeviation(of: values) }),
  ]

  private static func list(
    _ name: String, _ summary: String, _ kind: CollectionOperator
  ) -> ValueFunction {
    ValueFunction(
      name: name, summary: summary, arity: .list,
      body: .elements { values throws(ComputationError) in
        if kind.isNumeric { try checkNumbers(values) }
        return kind.evaluate([], on: values)
      })
  }

  private static func checkNumbers(_ values: [Value]) throws(ComputationError) {
    for value in values {
      if case .array(let elements) = value {
        try checkNumbers(elements)
      } else if !value.isNull, value.type != .number {
        throw .notNumber(value)
      }
    }
  }

  private static func modes(of values: [Value]) -> [Value] {
    var counts: [Value: Int] = [:]
    for value in values where !value.isNull { counts[value, default: 0] += 1 }
    let greatest = counts.values.max() ?? 0
    var modes: [Value] = []
    for value in values where counts[value] == greatest {
      modes.append(value)
      counts[value] = nil
    }
    return modes
  }

  private static func standardDeviation(of values: [Value]) throws(ComputationError) -> Value {
    try checkNumbers(values)
    let numbers = values.compactMap(\.double)
    guard !numbers.isEmpty else { return .null }
    let mean = numbers.reduce(0) { $0 + $1 / Double(numbers.count) }
    let variance = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) / Double(numbers.count) }
    return try .number(variance.squareRoot(), from: values)
  }
}
