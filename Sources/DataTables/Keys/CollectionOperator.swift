/// A step of a key path that reduces the elements of an array to one value: `items.@sum.price`.
///
/// The following steps apply to each element. The operators on scalars (`@sum`, `@avg`, `@mean`,
/// `@median`, `@stddev`, `@min`, `@max`) descend into elements that are arrays, so that
/// `orders.items.@sum.price` is the sum over all orders.
public enum CollectionOperator: String, Hashable, Sendable, CaseIterable {
  case count = "@count"
  case sum = "@sum"
  case average = "@avg"
  case mean = "@mean"
  case median = "@median"
  case standardDeviation = "@stddev"
  case minimum = "@min"
  case maximum = "@max"
  case first = "@first"
  case last = "@last"
  case distinctUnionOfObjects = "@distinctUnionOfObjects"
  case unionOfObjects = "@unionOfObjects"
  case distinctUnionOfArrays = "@distinctUnionOfArrays"
  case unionOfArrays = "@unionOfArrays"

  /// One line for help.
  public var summary: String {
    switch self {
    case .count: "the number of elements, including missing values"
    case .sum: "the sum; a missing value counts as 0"
    case .average: "the average; a missing value counts as 0"
    case .mean: "the average without missing values"
    case .median: "the middle number, or the mean of the two middle ones"
    case .standardDeviation: "the standard deviation of a sample: divided by n - 1"
    case .minimum: "the least value in the order of sort:"
    case .maximum: "the greatest value in the order of sort:"
    case .first: "the first value that is not missing"
    case .last: "the last value that is not missing"
    case .distinctUnionOfObjects: "the distinct values, in the order of their first appearance"
    case .unionOfObjects: "all values except missing ones"
    case .distinctUnionOfArrays: "the distinct elements of all arrays"
    case .unionOfArrays: "the elements of all arrays"
    }
  }

  /// Whether the operator computes with numbers, so that its value is null if some value is neither
  /// a number nor null.
  package var isNumeric: Bool {
    switch self {
    case .sum, .average, .mean, .median, .standardDeviation: true
    default: false
    }
  }

  /// Applies the operator to the elements of an array.
  ///
  /// - Parameter rest: the steps that apply to each element.
  /// - Returns: null for an operator on numbers if some value is neither a number nor null, for the
  ///   deviation of fewer than two numbers, and for any other operator on no values, except that
  ///   the sum and the `@avg` of no values are 0.
  /// - Complexity: O(elements).
  func evaluate(_ rest: ArraySlice<ObjectKeyPath.Step>, on elements: [Value]) -> Value {
    if self == .count { return .integer(elements.count) }
    var result = Accumulator(self)
    for element in elements { result.add(ObjectKeyPath.evaluate(rest, on: element)) }
    return result.value
  }
}
